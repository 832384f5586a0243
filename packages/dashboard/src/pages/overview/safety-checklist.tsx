import type { SafetyItem } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { safetyQuery } from '../../api/queries.ts';
import { plural } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { CircleCheck, TriangleAlert } from '../../icons.ts';

const PAGES = { policy: 'Open the policy', settings: 'Open the settings', keys: 'Open the keys' } as const;

/** Settings that an attacker could exploit. It is last on the page, so that nothing moves when it has loaded. */
export function SafetyChecklist({ projectId }: { projectId: string }) {
  const { data } = useQuery(safetyQuery(projectId));
  if (data === undefined) return null;
  const unsafe = data.items.filter((item) => !item.safe);
  const safe = data.items.filter((item) => item.safe);
  if (unsafe.length === 0) {
    const doors = data.items.find(({ id }) => id === 'doors');
    return <Notice kind="good">All safety settings are fine. {doors?.finding}</Notice>;
  }
  return (
    <Section
      title="Safety checklist"
      lead={`${unsafe.length} of ${plural(data.items.length, 'setting')} could be exploited by attackers.`}
    >
      <ul className="grid gap-3">
        {[...unsafe, ...safe].map((item) => (
          <Item key={item.id} item={item} projectId={projectId} />
        ))}
      </ul>
    </Section>
  );
}

function Item({ item, projectId }: { item: SafetyItem; projectId: string }) {
  const Icon = item.safe ? CircleCheck : TriangleAlert;
  return (
    <li className="flex items-start gap-3">
      <Icon
        size={17}
        role="img"
        aria-label={item.safe ? 'Safe' : 'Unsafe'}
        className={item.safe ? 'mt-1 shrink-0 text-allow' : 'mt-1 shrink-0 text-flag'}
      />
      <div className="min-w-0 text-[0.9333rem] wrap-anywhere">
        <span className="font-medium">{item.title}.</span> <span className="text-soft">{item.finding}</span>
        {item.fix !== null && (
          <p>
            {item.fix} <FixLink item={item} projectId={projectId} />
          </p>
        )}
      </div>
    </li>
  );
}

/** Environment variables have no page. Their text names the variable. */
function FixLink({ item: { place, projects, title }, projectId }: { item: SafetyItem; projectId: string }) {
  if (place === 'environment') return null;
  return (
    <Link
      to={`/projects/$projectId/${place}`}
      params={{ projectId: projects[0] ?? projectId }}
      aria-label={`${title}: ${PAGES[place]}`}
      className="link"
    >
      {PAGES[place]}
    </Link>
  );
}
