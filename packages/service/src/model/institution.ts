/** Suffixes that a registry reserves for authorities, armed forces and universities. */
const RESERVED_SUFFIX = /\.(?:edu|gov|mil|int)$|\.(?:gov|gob|gouv|govt|mil|ac|k12)\.[a-z]{2}$/;

export function isReservedForInstitutions(domain: string): boolean {
  return RESERVED_SUFFIX.test(domain);
}
