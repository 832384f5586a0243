import { createRequire } from 'node:module';
import { domainToAscii } from '../../model/idna.ts';

// IANA’s list as the package `tlds` carries it, internationalised ones in U-labels. It is a JSON file. Node 20 imports
// JSON only with a warning, so this uses `require`.
const names: readonly string[] = createRequire(import.meta.url)('tlds');

/** Nine of ten are ASCII. Converting those too took 80 ms of the start-up. */
const TOP_LEVEL_DOMAINS: ReadonlySet<string> = new Set(
  names.map((name) => (/^[a-z]+$/.test(name) ? name : (domainToAscii(name) ?? name))),
);

/** Whether the root zone has `label`, given in A-label form and lower case. */
export function isTopLevelDomain(label: string): boolean {
  return TOP_LEVEL_DOMAINS.has(label);
}
