import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

/** A look holds for 30 seconds on the service. */
const RENEW_MS = 15_000;

/** Tells the others that this row is open here, and who else has it open. */
export function useLook(projectId: string, validationId: string, enabled: boolean): readonly string[] {
  const { data } = useQuery({
    queryKey: ['review-look', projectId, validationId],
    enabled,
    gcTime: 0,
    retry: false,
    refetchInterval: RENEW_MS,
    queryFn: () =>
      api.post<{ lookedAtBy: string[] }>(
        `/projects/${encodeURIComponent(projectId)}/review/${encodeURIComponent(validationId)}/look`,
      ),
  });
  return data?.lookedAtBy ?? [];
}
