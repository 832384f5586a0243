import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

/** The service forgets after 30 seconds that this row is open here. */
const RENEW_MS = 15_000;

/** Tells the service that this row is open here. Returns the names of other members who have it open. */
export function useLook(projectId: string, validationId: string, enabled: boolean): readonly string[] {
  const { data } = useQuery({
    queryKey: ['review-look', projectId, validationId],
    enabled,
    gcTime: 0,
    retry: false,
    refetchInterval: RENEW_MS,
    queryFn: () => api('POST /projects/:id/review/:validationId/look', { id: projectId, validationId }),
  });
  return data?.lookedAtBy ?? [];
}
