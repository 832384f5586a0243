import type { ProjectView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { projectQuery } from './queries.ts';

/** The project in the address bar. Only for pages below it, whose route has loaded it. */
export function useProject(): ProjectView {
  const { projectId } = useParams({ from: '/app/projects/$projectId' });
  const { data } = useQuery(projectQuery(projectId));
  if (data === undefined) throw new Error('The project is not loaded');
  return data;
}
