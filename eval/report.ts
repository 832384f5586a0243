import { type Figure, ratio, rest, type Score } from './figures.ts';
import type { Measured } from './floors.ts';
import { OURS } from './suite.ts';

/** How many of our misses are printed without --all. */
const NAMED_MISSES = 20;

/** The table, with one line per contestant, and then our own misses. */
export function table(measured: ReadonlyMap<string, Measured>, allMisses: boolean): string {
  const lines = [row('check', 'contestant', 'recall', 'wrongly found', 'more')];
  const missed: string[] = [];
  for (const [suite, result] of measured) {
    if ('missing' in result) {
      lines.push(`${suite.padEnd(12)}MISSING: ${result.missing}`);
      continue;
    }
    for (const score of result.scores) lines.push(scoreRow(suite, result.entries, score));
    const ours = result.scores.find(({ contestant }) => contestant === OURS);
    if (ours !== undefined) missed.push(...missLines(suite, ours, allMisses));
  }
  return [...lines, '', ...missed].join('\n');
}

function scoreRow(suite: string, entries: number, { contestant, figures }: Score): string {
  const { recall, spared, ...more } = figures;
  const details = Object.entries(more).map(([name, figure]) => `${name} ${shown(figure)}`);
  const first = contestant === OURS ? `${suite} (${entries})` : '';
  return row(first, contestant, shown(recall), shown(spared && rest(spared)), details.join(', '));
}

function shown(figure: Figure | undefined): string {
  if (figure === undefined) return '-';
  return `${(100 * ratio(figure)).toFixed(1)}% ${figure.hits}/${figure.of}`;
}

function row(check: string, contestant: string, recall: string, wronglyFound: string, more: string): string {
  return `${check.padEnd(19)}${contestant.padEnd(31)}${recall.padEnd(18)}${wronglyFound.padEnd(18)}${more}`.trimEnd();
}

function missLines(suite: string, { misses }: Score, all: boolean): readonly string[] {
  if (misses.length === 0) return [`${suite}: no misses`];
  const named = all ? misses : misses.slice(0, NAMED_MISSES);
  const rest = misses.length - named.length;
  return [
    `${suite}: ${misses.length} misses`,
    ...named.map(({ entry, what }) => `  ${entry}  ${what}`),
    ...(rest > 0 ? [`  and ${rest} more; --all prints them`] : []),
  ];
}
