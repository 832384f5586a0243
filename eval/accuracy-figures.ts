import { readFileSync } from 'node:fs';
import { type Figure, ratio, rest } from './figures.ts';
import type { Measured } from './floors.ts';
import { allTogether, listAlone } from './loss-by-age.ts';
import { HINTS, type Hint, type LaterName, type TimeSplit } from './time-split.ts';

/** What is looked for, and what the authors of the rules had seen of the corpus before the figure was measured. */
const SUITES: Readonly<Record<string, readonly [what: string, seen?: string]>> = {
  syntax: ['addresses that are malformed or that nobody signs up with'],
  disposable: ['throwaway domains and mail hosts, beyond dispute'],
  newDomains: ['throwaway domains first seen after the data’s day (below)', 'names: partly; lists: no'],
  domainTypo: ['misspelt domains; only the right suggestion counts'],
  randomTypos: ['one slip made by chance in each mail domain that the check knows', 'yes; 83.4% before'],
  roleEmail: ['local parts that stand for a function'],
  randomLocalPart: ['generated local parts among people’s names', 'yes'],
  crowds: [
    'farms within their goal, and people in honest crowds, in invented projects (below)',
    'the kinds yes, invented by us; the seeds of the tables no',
  ],
  alias: ['variants of an inbox'],
  ip: ['Tor, VPN, proxy and hosting addresses among people’s own'],
  torExits: ['Tor exits of July 2026 by their networks alone, without the list', 'yes; 89.4% before'],
  residential: ['home and mobile addresses', 'yes; those that fail were looked through'],
  browser: ['browsers among libraries'],
  automated: ['headless and scripted browsers'],
};
const WRITTEN_BY_US = 'yes; written by us, and misses were mended';

export interface TimeSplits {
  readonly shown: TimeSplit;
  readonly all: readonly TimeSplit[];
}

type Row = readonly (string | number)[];

function table(head: readonly string[], rows: readonly Row[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** What a time split shows: how many names are found, by which rule, and what the others show. */
export function splitFigures(split: TimeSplit): Readonly<Record<'split' | 'rules' | 'hints', string>> {
  const { onAList, onNoList } = groupsOf(split.later);
  return {
    split: [
      `Data as of ${split.split}: ${split.sources.join(', ')}.`,
      table(
        [`names first seen after ${split.split}`, 'names', 'found', 'share'],
        [
          groupRow('on another list that day, or under a name on it', onAList),
          groupRow('on no list', onNoList),
          groupRow('all', split.later),
        ],
      ),
    ].join('\n\n'),
    rules: table(
      ['found by', 'names found', 'share of all', 'real domains accused, guard off'],
      [
        ...split.rules.map(({ rule, found: hits, accused }) => [
          `\`${rule}\``,
          count(hits),
          percent(hits, split.later.length),
          accused.length === 0 ? 0 : `${accused.length} (${accused.slice(0, 3).join(', ')})`,
        ]),
        [
          '**all together**',
          count(found(split.later)),
          percent(found(split.later), split.later.length),
          `${accusedOf(split)} of ${count(split.real.length)}`,
        ],
      ],
    ),
    hints: table(
      ['on no list, and', 'names', 'share', 'real domains, guard off'],
      [
        ['found by a rule', count(found(onNoList)), percent(found(onNoList), onNoList.length), ''],
        ...HINTS.map((hint) => [
          `passes with \`${hint}\``,
          count(hintedBy(hint, onNoList)),
          percent(hintedBy(hint, onNoList), onNoList.length),
          `${split.hintedReal[hint]} of ${count(split.real.length)}`,
        ]),
        [
          'shows nothing that we could find',
          count(unseen(onNoList)),
          percent(unseen(onNoList), onNoList.length),
          '',
        ],
      ],
    ),
  };
}

/** The figures of docs/accuracy.md by their name, each a block of Markdown. */
export function accuracyFigures(
  measured: ReadonlyMap<string, Measured>,
  { shown: split, all }: TimeSplits,
): Readonly<Record<string, string>> {
  const figure = (suite: string, name: string) => figureOf(measured, suite, name);
  const failing = (suite: string, name: string) => {
    const spared = figure(suite, name);
    return outOf(spared && rest(spared));
  };
  return {
    suites: table(
      ['suite', 'what is looked for', 'found', 'others wrongly found', 'misses looked at before this figure'],
      [...measured.keys()].map((suite) => {
        const [what = '', seen = WRITTEN_BY_US] = SUITES[suite] ?? [];
        return [`\`${suite}\``, what, shown(figure(suite, 'recall')), failing(suite, 'spared'), seen];
      }),
    ),
    ...splitFigures(split),
    months: table(
      [
        'data as of',
        'sources from before it',
        'first seen in',
        'names',
        'found',
        'on no list',
        'found of these',
      ],
      all.flatMap(monthRows),
    ),
    age: table(
      ['age of the data', ...listAlone().map(({ days }) => (days === 1 ? '1 day' : `${days} days`))],
      [
        ['one list alone', ...listAlone().map(shareOf)],
        ['with the other lists and the rules', ...allTogether(all).map(shareOf)],
      ],
    ),
    typos: `Names of five letters or more: ${shown(figure('randomTypos', 'longNames'))}; shorter ones: ${shown(figure('randomTypos', 'shortNames'))}.`,
    ip: table(
      ['what', 'IPv4', 'IPv6'],
      [
        ...(
          [
            ['people in the large access networks who fail', 'ipv4Spared', 'ipv6Spared'],
            ['people in other networks with an access network’s name', 'namedIpv4Spared', 'namedIpv6Spared'],
          ] as const
        ).map(([what, four, six]) => [what, failing('residential', four), failing('residential', six)]),
        ...['hosting', 'vpn', 'tor'].map((kind) => [
          `${kind} found inside published ranges, both together`,
          outOf(figure('ip', kind)),
          '',
        ]),
        ['Tor exits found without their list', shown(figure('torExits', 'recall')), 'not measured'],
      ],
    ),
    crowds: readFileSync(new URL('./crowds/tables.md', import.meta.url), 'utf8').trim(),
  };
}

/** The page with these figures in place of the last ones. */
export function withFigures(page: string, figures: Readonly<Record<string, string>>): string {
  const unused = new Set(Object.keys(figures));
  const written = page.replace(
    /(<!-- figures: ([a-z]+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_all, start: string, name: string, end: string) => {
      const text = figures[name];
      if (text === undefined) throw new Error(`docs/accuracy.md asks for unknown figures: ${name}`);
      unused.delete(name);
      return `${start}${text}\n${end}`;
    },
  );
  if (unused.size > 0) throw new Error(`docs/accuracy.md has no place for ${[...unused].join(', ')}`);
  return written;
}

function figureOf(measured: ReadonlyMap<string, Measured>, suite: string, name: string): Figure | undefined {
  const result = measured.get(suite);
  return result === undefined || 'missing' in result ? undefined : result.figures[name];
}

function shown(figure: Figure | undefined): string {
  return figure === undefined ? '' : `${(100 * ratio(figure)).toFixed(1)}% (${outOf(figure)})`;
}

function outOf(figure: Figure | undefined): string {
  return figure === undefined ? '' : `${count(figure.hits)} of ${count(figure.of)}`;
}

function groupsOf(names: readonly LaterName[]) {
  return {
    onAList: names.filter(({ onAList }) => onAList),
    onNoList: names.filter(({ onAList }) => !onAList),
  };
}

function groupRow(what: string, names: readonly LaterName[]): Row {
  return [what, count(names.length), count(found(names)), percent(found(names), names.length)];
}

function monthRows({ split, sources, later }: TimeSplit): Row[] {
  const known = sources.map((source) => source.replace(/ \(.*\)$/, '')).join(', ');
  const months = [...new Set(later.map(monthOf))].sort();
  return months.map((month) => {
    const names = later.filter((one) => monthOf(one) === month);
    const { onNoList } = groupsOf(names);
    const shares = [names, onNoList].flatMap((group) => [
      count(group.length),
      percent(found(group), group.length),
    ]);
    return [split, known, month, ...shares];
  });
}

const monthOf = ({ firstDay }: LaterName): string => firstDay?.slice(0, 7) ?? '';

const shareOf = ({ share }: { readonly share: number }): string => percent(share, 1);
const found = (names: readonly LaterName[]): number => names.filter(({ rule }) => rule !== undefined).length;
const accusedOf = ({ rules }: TimeSplit): number =>
  rules.reduce((sum, { accused }) => sum + accused.length, 0);
const hintedBy = (hint: Hint, names: readonly LaterName[]): number =>
  names.filter(({ hints }) => hints.includes(hint)).length;
/** Neither found nor with a signal. */
const unseen = (names: readonly LaterName[]): number =>
  names.filter(({ rule, hints }) => rule === undefined && hints.length === 0).length;
const count = (number: number): string => number.toLocaleString('en-US');
const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(whole, 1)).toFixed(1)}%`;
