import type { Recommendation } from '@postern/contract';
import type { RuleEffect } from '@postern/contract/dashboard';
import type { Rule } from '@postern/contract/rules';
import { decidingRule } from '../decision/rules/judge-rules.ts';
import { estimateOf, noCounts, type Sample } from '../outcomes/estimate.ts';
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
      { matches: noCounts(), changed: noCounts(), people: new Set<string>(), examples: [] as LogRow[] },
    ]),
  );
  /** Counts the row for its person only. */
  const addPerson = (inbox: string, { rules: matched }: Replayed) => {
    for (const { id } of matched) counts.get(id)?.people.add(inbox);
  };
  return {
    addPerson,
    /** `today`: what the policy and the rules that are saved would answer. */
    add(row: LogRow, replayed: Replayed, today: Recommendation): void {
      addPerson(row.inboxHash, replayed);
      const decides = decidingRule(replayed.rules)?.id;
      for (const { id } of replayed.rules) {
        const count = counts.get(id);
        if (count === undefined) continue;
        count.matches[row.recommendation] += 1;
        if (id === decides && replayed.recommendation !== today) count.changed[row.recommendation] += 1;
        if (count.examples.length < EXAMPLES) count.examples.push(row);
      }
    },
    effects: (outcomes: ReadonlyMap<string, PersonOutcome>, sample: Sample): RuleEffect[] =>
      [...counts].map(([id, { matches, changed, people, examples }]) => {
        const judgements = [...people].map((inbox) => outcomes.get(inbox)?.judgement);
        return {
          id,
          matches: estimateOf(matches, sample),
          changed: estimateOf(changed, sample),
          bad: judgements.filter((judgement) => judgement === 'bad').length,
          good: judgements.filter((judgement) => judgement === 'good').length,
          examples: examples.map(validationRow),
        };
      }),
  };
}
