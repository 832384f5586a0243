import type { Estimate, RuleEffect } from '@postern/contract/dashboard';
import { ExampleRows } from '../example-rows.tsx';
import { count, plural } from '../format.ts';
import { rangeText } from './estimate-text.ts';

interface RulesReplayedProps {
  projectId: string;
  rules: readonly RuleEffect[];
  names: ReadonlyMap<string, string>;
}

/** What each rule would have matched and changed, and whom of the known people it would have hit. */
export function RulesReplayed({ projectId, rules, names }: RulesReplayedProps) {
  if (rules.length === 0) return null;
  return (
    <section aria-label="Rules" className="rounded-lg border border-line">
      <h3 className="border-b border-line bg-sunken px-3.5 py-2 text-[0.9rem] font-medium">Rules</h3>
      <ul className="divide-y divide-line">
        {rules.map((rule) => (
          <li key={rule.id} className="grid gap-1 px-3.5 py-2.5 text-[0.9rem]">
            <p className="flex flex-wrap items-baseline gap-x-3">
              <span className="font-medium wrap-anywhere">{names.get(rule.id) ?? rule.id}</span>
              <span className="num text-soft">
                {estimated(rule.matches, 'match', 'matches')}, {estimated(rule.changed, 'answer')} changed,
                known people hit: {count(rule.bad)} bad and {count(rule.good)} good
              </span>
            </p>
            {rule.examples.length > 0 && <Examples projectId={projectId} rule={rule} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** “40 matches”, from a sample “40 matches (30 to 52)”. */
function estimated(estimate: Estimate, one: string, many = `${one}s`): string {
  const range = rangeText(estimate).slice(2);
  return `${plural(estimate.count, one, many)}${range === '' ? '' : ` (${range})`}`;
}

function Examples({ projectId, rule }: { projectId: string; rule: RuleEffect }) {
  return (
    <details>
      <summary className="text-[0.8667rem] text-accent">Examples</summary>
      <ExampleRows projectId={projectId} rows={rule.examples} />
    </details>
  );
}
