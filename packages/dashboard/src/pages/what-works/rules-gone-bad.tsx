import type { RuleGoneBadView } from '@postern/contract/dashboard';
import { Link } from '@tanstack/react-router';
import { useProject } from '../../api/use-project.ts';
import { count, percent } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';

const DOES = { flag: 'flags', block: 'blocks' } as const;

/** Names live rules that hit fewer bad people than average. */
export function RulesGoneBad({ rules }: { rules: readonly RuleGoneBadView[] }) {
  const project = useProject();
  return rules.map(({ id, name, then, known, bad, baseRate }) => (
    <Notice key={id} kind="warn">
      The rule{' '}
      <Link
        to="/projects/$projectId/rules/$rule"
        params={{ projectId: project.id, rule: id }}
        className="link font-semibold"
      >
        {name}
      </Link>{' '}
      {DOES[then]}, but only {count(bad)} of {count(known)} people it hit are known to be bad. Of everybody,{' '}
      {percent(baseRate, 1)} are. Change it, or put it into shadow.
    </Notice>
  ));
}
