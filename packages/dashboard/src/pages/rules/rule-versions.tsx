import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ruleVersionsQuery } from '../../api/rule-queries.ts';
import { actorName } from '../../components/actor-name.ts';
import { Badge } from '../../components/badge.tsx';
import { Section } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { Moment } from '../../components/time.tsx';
import { ruleText } from './rule-words.ts';

interface RuleVersionsProps {
  projectId: string;
  id: string;
}

/** The rule as it was saved each time, newest first. */
export function RuleVersions({ projectId, id }: RuleVersionsProps) {
  const versions = useQuery(ruleVersionsQuery(projectId, id));
  return (
    <Section
      title="Versions"
      lead={
        <>
          The rule as it was saved each time. The{' '}
          <Link to="/projects/$projectId/policy-history" params={{ projectId }} className="link">
            history of the policy
          </Link>{' '}
          goes back to an earlier one.
        </>
      }
    >
      <Loaded query={versions} pending={<SkeletonRows rows={2} />}>
        {(rows) => (
          <ol className="divide-y divide-line">
            {rows.map(({ version, at, by, byName, reason, rule }) => (
              <li key={version} className="grid gap-1 py-2.5">
                <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.8667rem] text-soft">
                  <span className="font-medium">Version {version}</span>
                  <span>
                    <Moment at={at} /> by {actorName(by, byName)}
                  </span>
                  <Badge tone={rule.mode === 'live' ? 'accent' : 'neutral'}>{rule.mode}</Badge>
                </p>
                <p className="wrap-anywhere">{ruleText(rule)}</p>
                {reason !== null && <p className="text-[0.9rem] text-soft wrap-anywhere">Why: {reason}</p>}
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Section>
  );
}
