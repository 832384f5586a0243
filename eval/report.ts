import { type Figure, ratio, rest } from './figures.ts';
import type { Measured } from './floors.ts';
import type { SuiteResult } from './suite.ts';

/** How many of our misses are printed without --all. */
const NAMED_MISSES = 20;

/** The table, with one line for each check, and then the misses. */
export function table(measured: ReadonlyMap<string, Measured>, allMisses: boolean): string {
  const lines = [row('check', 'recall', 'wrongly found', 'more')];
  const missed: string[] = [];
  for (const [suite, result] of measured) {
    if ('missing' in result) {
      lines.push(`${suite.padEnd(12)}MISSING: ${result.missing}`);
      continue;
    }
    lines.push(scoreRow(suite, result));
    missed.push(...missLines(suite, result, allMisses));
  }
  return [...lines, '', ...missed].join('\n');
}

function scoreRow(suite: string, { entries, figures }: SuiteResult): string {
  const { recall, spared, ...more } = figures;
  const details = Object.entries(more).map(([name, figure]) => `${name} ${shown(figure)}`);
  return row(`${suite} (${entries})`, shown(recall), shown(spared && rest(spared)), details.join(', '));
}

function shown(figure: Figure | undefined): string {
  if (figure === undefined) return '-';
  return `${(100 * ratio(figure)).toFixed(1)}% ${figure.hits}/${figure.of}`;
}

function row(check: string, recall: string, wronglyFound: string, more: string): string {
  return `${check.padEnd(26)}${recall.padEnd(18)}${wronglyFound.padEnd(18)}${more}`.trimEnd();
}

function missLines(suite: string, { misses }: SuiteResult, all: boolean): readonly string[] {
  if (misses.length === 0) return [`${suite}: no misses`];
  const named = all ? misses : misses.slice(0, NAMED_MISSES);
  const rest = misses.length - named.length;
  return [
    `${suite}: ${misses.length} misses`,
    ...named.map(({ entry, what }) => `  ${entry}  ${what}`),
    ...(rest > 0 ? [`  and ${rest} more; --all prints them`] : []),
  ];
}
