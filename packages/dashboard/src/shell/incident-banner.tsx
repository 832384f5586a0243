import type { IncidentView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { openIncidentsQuery } from '../api/outcome-queries.ts';
import { Notice } from '../components/notice.tsx';
import { Ago } from '../components/time.tsx';

/** On every page of the project while there is an incident that nobody has acknowledged. */
export function IncidentBanner({ projectId }: { projectId: string }) {
  const { data = [] } = useQuery(openIncidentsQuery(projectId));
  const { pathname } = useLocation();
  const [incident] = data.filter(({ state }) => state === 'open');
  if (incident === undefined || pathname.endsWith('/alerts')) return null;
  const largest = incident.surges.toSorted((one, other) => sizeOf(other) - sizeOf(one))[0];
  const message = largest?.data.message;
  return (
    <Notice
      kind="warn"
      className="mb-5"
      action={
        <Link to="/projects/$projectId/alerts" params={{ projectId }} className="link font-medium">
          Look at it
        </Link>
      }
    >
      <strong>An attack may be going on</strong>, first seen <Ago at={incident.firstAt} />.{' '}
      {typeof message === 'string' && message.replace(` in project ${projectId}`, '')}
    </Notice>
  );
}

const sizeOf = ({ data }: IncidentView['surges'][number]) =>
  typeof data.count === 'number' ? data.count : 0;

/** How many incidents are not closed; nothing when there is none. */
export function IncidentCount({ projectId }: { projectId: string }) {
  const { data = [] } = useQuery(openIncidentsQuery(projectId));
  const open = data.filter(({ state }) => state !== 'closed').length;
  if (open === 0) return null;
  return (
    <span className="num ml-auto rounded-md bg-block-soft px-1.5 text-[0.8rem] text-block">
      {open}
      <span className="sr-only"> {open === 1 ? 'incident' : 'incidents'}</span>
    </span>
  );
}
