import { readFile } from 'node:fs/promises';
import { DAY_MS } from '@postern/contract';
import { bundledDomainSources } from '../packages/service/src/feeds/bundled-domains.ts';
import { compileDomains, type DomainSource } from '../packages/service/src/feeds/compile-domains.ts';
import { readCuration } from '../packages/service/src/feeds/domain-curation.ts';
import { readRows, readWords } from '../packages/service/src/lists/read-list.ts';
import { type DomainList, loadDomainList } from '../packages/service/src/lookup/domain-list.ts';
import { hasCheapEnding, namesMailboxes } from '../packages/service/src/lookup/domain-name-shape.ts';

/** The day at which the data is cut off, if --split gives no other. */
export const DEFAULT_SPLIT = '2026-06-15';

/** The first day of castle’s history, ends of months, and days after which another bundled source was known. */
export const SPLIT_DAYS = ['2026-05-11', '2026-05-31', DEFAULT_SPLIT, '2026-06-30', '2026-07-15'] as const;

/** The real domains that the guard protects. Here they are judged without the guard. */
const GUARD_LISTS = ['domains/institutions.txt', 'domains/brands.txt'];

/** The ages of data for which the loss is measured. The history has ten weeks. */
export const MEASURED_AGES = [1, 7, 14, 30, 45, 60] as const;

/** Of the names in use this many days after the split, those that are found. */
interface InUse {
  readonly days: number;
  readonly found: number;
  readonly of: number;
}

interface RuleResult {
  /** The rule that found the domain, or `sources` if a source from before the split lists it. */
  readonly rule: string;
  readonly found: number;
  /** Real domains that the rule accuses when the guard is off. */
  readonly accused: readonly string[];
}

/** Signals of a name on no list that a policy can flag. */
export const HINTS = ['cheap_ending', 'unknown_mail_service'] as const;
export type Hint = (typeof HINTS)[number];

export interface LaterName {
  readonly name: string;
  /** Absent for names from a file. */
  readonly firstDay?: string;
  /** Whether a source from before the split has the name, or a domain above it. */
  readonly onAList: boolean;
  /** What found it. */
  readonly rule: string | undefined;
  /** The signals that it passes with, if nothing found it. */
  readonly hints: readonly Hint[];
}

export interface TimeSplit {
  readonly split: string;
  /** What the list was compiled from. */
  readonly sources: readonly string[];
  /** Names first seen after the split. */
  readonly later: readonly LaterName[];
  /** Real domains, judged without the guard. */
  readonly real: readonly string[];
  readonly rules: readonly RuleResult[];
  /** How many real domains pass with each signal. */
  readonly hintedReal: Readonly<Record<Hint, number>>;
  /** Only for days that the history has. */
  readonly inUse: readonly InUse[];
}

interface Options {
  readonly split: string;
  /** A file of names to judge, one per line. By default the names in castle’s history from after the split. */
  readonly namesFile?: string | undefined;
}

/**
 * Compiles the list from what was known on a day, and judges names that were first seen later. The list contains
 * nothing newer than that day: newer bundled sources are left out, and castle’s history is cut off at the day. DNS is
 * not used.
 */
export async function measureTimeSplit({ split, namesFile }: Options): Promise<TimeSplit> {
  const sources = await sourcesAsOf(split);
  const names: readonly FirstSeen[] =
    namesFile === undefined
      ? castleNames((day) => day > split)
      : (await readNames(namesFile)).map((name) => ({ name }));
  const real = GUARD_LISTS.flatMap(readWords);
  const list = loadDomainList(compileDomains(sources, curationWithoutGuard(real)));
  const later = names.map((one) => ({
    ...one,
    onAList: isOnAList(list, one.name),
    rule: accusedBy(list, one.name),
    hints: hintsOf(list, one.name),
  }));
  const accused = real.map((name) => ({ name, rule: accusedBy(list, name) }));
  const rules = [...new Set([...later, ...accused].flatMap(({ rule }) => rule ?? []))].map((rule) => ({
    rule,
    found: later.filter((one) => one.rule === rule).length,
    accused: accused.filter((one) => one.rule === rule).map(({ name }) => name),
  }));
  return {
    split,
    sources: sources.map(({ name, date }) => `${name} (${date})`),
    later,
    real,
    rules: rules.sort((one, other) => other.found - one.found),
    hintedReal: Object.fromEntries(
      HINTS.map((hint) => [hint, real.filter((name) => hintsOf(list, name).includes(hint)).length]),
    ) as Record<Hint, number>,
    inUse: namesInUse(split).map(({ days, names: used }) => ({
      days,
      found: used.filter((name) => accusedBy(list, name) !== undefined).length,
      of: used.length,
    })),
  };
}

async function sourcesAsOf(split: string): Promise<DomainSource[]> {
  const older = (await bundledDomainSources()).filter(({ name, date }) => name !== 'castle' && date <= split);
  const castle = castleNames((day) => day <= split).map(({ name }) => name);
  return [{ name: 'castle', tier: 'curated', date: split, domains: castle }, ...older];
}

interface FirstSeen {
  readonly name: string;
  readonly firstDay?: string;
}

function castleNames(wanted: (firstDay: string) => boolean): FirstSeen[] {
  return readRows('domains/castle-history.tsv').flatMap(([name, firstDay]) =>
    name !== undefined && firstDay !== undefined && wanted(firstDay) ? [{ name, firstDay }] : [],
  );
}

/** The names that castle had on the days after the split. */
function namesInUse(split: string): { days: number; names: string[] }[] {
  const rows = readRows('domains/castle-history.tsv');
  const end = rows.reduce((latest, [, , last = '']) => (last > latest ? last : latest), '');
  return MEASURED_AGES.flatMap((days) => {
    const day = new Date(Date.parse(split) + days * DAY_MS).toISOString().slice(0, 10);
    if (day > end) return [];
    const names = rows.flatMap(([name, first = '', last = '']) =>
      name !== undefined && first <= day && last >= day ? [name] : [],
    );
    return [{ days, names }];
  });
}

/** The first word of each line. */
export async function readNames(file: string): Promise<string[]> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines.flatMap((line) => line.trim().split(/\s+/)[0] || []).filter((name) => !name.startsWith('#'));
}

/** Keeps the lists that are reviewed by hand, without the names that are judged here. */
function curationWithoutGuard(real: readonly string[]) {
  const guarded = new Set(real);
  const curation = readCuration();
  return { ...curation, allowed: curation.allowed.filter((name) => !guarded.has(name)) };
}

/** What finds the domain without DNS: a source, or the name of a rule. */
export function accusedBy(list: DomainList, domain: string): string | undefined {
  const match = list.lookup(domain);
  if (match?.kind !== 'listed' || match.confidence === 'low') return undefined;
  return match.rule ?? 'sources';
}

const HAS_HINT: Readonly<Record<Hint, (domain: string) => boolean>> = {
  cheap_ending: hasCheapEnding,
  unknown_mail_service: namesMailboxes,
};

const hintsOf = (list: DomainList, domain: string): Hint[] =>
  list.lookup(domain) === undefined ? HINTS.filter((hint) => HAS_HINT[hint](domain)) : [];

/** Also if too few sources have it to accuse it. */
function isOnAList(list: DomainList, domain: string): boolean {
  const match = list.lookup(domain);
  return match?.kind === 'listed' && match.rule === undefined;
}
