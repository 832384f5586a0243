import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Section } from './page.tsx';
import { Loaded, SkeletonRows } from './pending.tsx';

/** In the margin of the pages that change the policy. Loaded after them. */
export function LastChanges({ projectId }: { projectId: string }) {
  const history = useQuery({
    queryKey: ['last-changes'],
    queryFn: async () => (await import('../pages/policy-history/policy-history-page.tsx')).Versions,
  });
  return (
    <Section
      title="Last changes"
      flush
      className="text-[0.9333rem]"
      actions={
        <Link to="/projects/$projectId/policy-history" params={{ projectId }} className="link text-[0.9rem]">
          All changes
        </Link>
      }
    >
      <Loaded query={history} pending={<SkeletonRows rows={8} className="p-5" />}>
        {(Versions) => <Versions most={5} />}
      </Loaded>
    </Section>
  );
}
