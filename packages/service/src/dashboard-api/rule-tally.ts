import type { RuleEffect } from '@postern/contract/dashboard';
import type { Rule } from '@postern/contract/rules';
import { decidingRule } from '../decision/rules/judge-rules.ts';
import type { LogRow } from '../store/store.ts';
import type { PersonOutcome } from '../store/tables/outcome-table.ts';
import type { Replayed } from './replay.ts';
import { validationRow } from './validation-row.ts';

const EXAMPLES = 5;

/** Counts for each rule what it matched in a replay. */
export function createRuleTally(rules: readonly Rule[]) {
  const counts = new Map(
    rules.map(({ id }) => [
      id,
      { matches: 0, changed: 0, people: new Set<string>(), examples: [] as LogRow[] },
    ]),
  );
  return {
    add(row: LogRow, { rules: matched, recommendation }: Replayed): void {
      const decides = decidingRule(matched)?.id;
      for (const { id } of matched) {
        const count = counts.get(id);
        if (count === undefined) continue;
        count.matches += 1;
        if (id === decides && recommendation !== row.recommendation) count.changed += 1;
        count.people.add(row.inboxHash);
        if (count.examples.length < EXAMPLES) count.examples.push(row);
      }
    },
    effects: (outcomes: ReadonlyMap<string, PersonOutcome>): RuleEffect[] =>
      [...counts].map(([id, { matches, changed, people, examples }]) => {
        const judgements = [...people].map((inbox) => outcomes.get(inbox)?.judgement);
        return {
          id,
          matches,
          changed,
          bad: judgements.filter((judgement) => judgement === 'bad').length,
          good: judgements.filter((judgement) => judgement === 'good').length,
          examples: examples.map(validationRow),
        };
      }),
  };
}
