import type { RuleGoneBadView } from '@postern/contract/dashboard';
import { count, percent } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';

const DOES = { flag: 'flags', block: 'blocks' } as const;

/** Names live rules that hit fewer bad people than average. */
export function RulesGoneBad({ rules }: { rules: readonly RuleGoneBadView[] }) {
  return rules.map(({ id, name, then, known, bad, baseRate }) => (
    <Notice key={id} kind="warn">
      The rule <strong>{name}</strong> ({id}) {DOES[then]}, but only {count(bad)} of {count(known)} people it
      hit are known to be bad. Of everybody, {percent(baseRate, 1)} are. Change it, or put it into shadow.
    </Notice>
  ));
}
