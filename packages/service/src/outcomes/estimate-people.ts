import { slotOf } from '../store/statistics/statistics-words.ts';
import type { Slot } from '../store/tables/statistics-table.ts';
import type { PeopleCounts } from './outcome-report.ts';

/** How many validations had something, by the names of `PeopleCounts`. Rules count from their creation on. */
export async function countValidations(
  slots: AsyncIterable<readonly Slot[]>,
  createdAt: (rule: string) => number = () => 0,
): Promise<Map<string, number>> {
  const counted = new Map<string, number>();
  for await (const portion of slots) {
    for (const { at, counts } of portion) {
      for (const [word, number] of counts) {
        const name = nameOf(word);
        if (name?.startsWith(RULE) && at < slotOf(createdAt(name.slice(RULE.length)))) continue;
        if (name !== undefined) counted.set(name, (counted.get(name) ?? 0) + number);
      }
    }
  }
  return counted;
}

const RULE = 'rule ';

function nameOf(word: string): string | undefined {
  if (word === 'allow' || word === 'flag' || word === 'block') return '';
  if (/^(check|signal|rule):/.test(word)) return word.replace(':', ' ');
  if (word.startsWith('shadow:')) return word.replace('shadow:', 'rule ');
  return undefined;
}

/**
 * The number of people behind counted validations. How often one person tries is taken from a sample, for each name
 * by itself, because some signals are about people who try again.
 */
export function estimatePeople(
  counted: ReadonlyMap<string, number>,
  sample: PeopleCounts,
): Map<string, number> {
  const people = new Map([...sample].map(([name, count]) => [name, count.people]));
  for (const [name, validations] of counted) {
    const seen = sample.get(name);
    const estimate =
      seen === undefined ? validations : Math.round((validations * seen.people) / seen.validations);
    people.set(name, Math.max(people.get(name) ?? 0, estimate));
  }
  return people;
}
