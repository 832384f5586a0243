import { readWords } from '../lists/read-list.ts';

/** Suffixes that a registry reserves for authorities, armed forces and universities. */
const RESERVED_SUFFIX = /\.(?:edu|gov|mil|int)$|\.(?:gov|gob|gouv|govt|mil|ac|k12)\.[a-z]{2}$/;

export function isReservedForInstitutions(domain: string): boolean {
  return RESERVED_SUFFIX.test(domain);
}

let listed: ReadonlySet<string> | undefined;

/** Whether the domain is a university’s, a school’s or an authority’s, by its suffix or by the bundled list. */
export function isInstitutionDomain(domain: string): boolean {
  listed ??= new Set(readWords('domains/institutions.txt'));
  return isReservedForInstitutions(domain) || listed.has(domain);
}
