import { readFile } from 'node:fs/promises';
import { bundledDomainSources } from '../packages/service/src/feeds/bundled-domains.ts';
import { compileDomains, type DomainSource } from '../packages/service/src/feeds/compile-domains.ts';
import { readCuration } from '../packages/service/src/feeds/domain-curation.ts';
import { readRows, readWords } from '../packages/service/src/lists/read-list.ts';
import { type DomainList, loadDomainList } from '../packages/service/src/lookup/domain-list.ts';

/** The day that the data is cut off at, unless another is asked for. */
export const DEFAULT_SPLIT = '2026-06-15';

/** Real domains that the guard is made from. Here they are judged without the guard. */
const GUARD_LISTS = ['domains/institutions.txt', 'domains/brands.txt'];

interface RuleResult {
  /** `sources`: a source of before the split names the domain. */
  readonly rule: string;
  readonly found: number;
  /** Real domains that the rule accuses when the guard is off. */
  readonly accused: readonly string[];
}

export interface TimeSplit {
  readonly split: string;
  /** What the list was compiled from. */
  readonly sources: readonly string[];
  /** Names first seen after the split. */
  readonly later: readonly string[];
  readonly missed: readonly string[];
  /** Real domains, judged without the guard. */
  readonly real: readonly string[];
  readonly rules: readonly RuleResult[];
}

interface Options {
  readonly split: string;
  /** A file of names to judge, one a line; absent: castle’s of after the split. */
  readonly namesFile?: string | undefined;
}

/**
 * Compiles the list from what was known on a day and judges names that were first seen later. Nothing from after the
 * day is in the list: a bundled source whose content is newer is left out whole, and of castle’s history only the
 * names that were seen by then are taken. No DNS is asked.
 */
export async function measureTimeSplit({ split, namesFile }: Options): Promise<TimeSplit> {
  const sources = await sourcesAsOf(split);
  const later = namesFile === undefined ? castleNames((day) => day > split) : await readNames(namesFile);
  const real = GUARD_LISTS.flatMap(readWords);
  const list = loadDomainList(compileDomains(sources, curationWithoutGuard(real)));
  const found = later.map((name) => ({ name, rule: accusedBy(list, name) }));
  const accused = real.map((name) => ({ name, rule: accusedBy(list, name) }));
  const rules = [...new Set([...found, ...accused].flatMap(({ rule }) => rule ?? []))].map((rule) => ({
    rule,
    found: found.filter((one) => one.rule === rule).length,
    accused: accused.filter((one) => one.rule === rule).map(({ name }) => name),
  }));
  return {
    split,
    sources: sources.map(({ name, date }) => `${name} (${date})`),
    later,
    missed: found.filter(({ rule }) => rule === undefined).map(({ name }) => name),
    real,
    rules: rules.sort((one, other) => other.found - one.found),
  };
}

async function sourcesAsOf(split: string): Promise<DomainSource[]> {
  const older = (await bundledDomainSources()).filter(({ name, date }) => name !== 'castle' && date <= split);
  const castle = castleNames((day) => day <= split);
  return [{ name: 'castle', tier: 'curated', date: split, domains: castle }, ...older];
}

function castleNames(wanted: (firstDay: string) => boolean): string[] {
  return readRows('domains/castle-history.tsv').flatMap(([name, firstDay]) =>
    name !== undefined && firstDay !== undefined && wanted(firstDay) ? [name] : [],
  );
}

async function readNames(file: string): Promise<string[]> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines.flatMap((line) => line.trim().split(/\s+/)[0] || []).filter((name) => !name.startsWith('#'));
}

/** What people review by hand stays; the names that are judged here are taken out. */
function curationWithoutGuard(real: readonly string[]) {
  const guarded = new Set(real);
  const curation = readCuration();
  return { ...curation, allowed: curation.allowed.filter((name) => !guarded.has(name)) };
}

/** What accuses the domain, as the check would without DNS: a source, or the rule that fired. */
function accusedBy(list: DomainList, domain: string): string | undefined {
  const match = list.lookup(domain);
  if (match?.kind !== 'listed' || match.confidence === 'low') return undefined;
  return match.rule ?? 'sources';
}
