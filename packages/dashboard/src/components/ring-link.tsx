import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ringOfQuery } from '../api/ring-queries.ts';
import { Waypoints } from '../icons.ts';
import { buttonClass } from './button.tsx';
import { count } from './format.ts';

/** A link to the ring that an inbox or a device is in. Nothing while it is not known, or if it is in none. */
export function RingLink({ projectId, hash }: { projectId: string; hash: string }) {
  const { data: ring } = useQuery(ringOfQuery(projectId, hash));
  if (!ring) return null;
  return (
    <Link
      to="/projects/$projectId/rings/$hash"
      params={{ projectId, hash: ring.id }}
      className={buttonClass('plain')}
    >
      <Waypoints size={15} aria-hidden="true" /> Ring of {count(ring.people)}
    </Link>
  );
}
