import type { SearchAnswer } from '@postern/contract/dashboard';
import { useNavigate } from '@tanstack/react-router';

/** Opens the page about what a search found. */
export function useGoTo(projectId: string): (found: Exclude<SearchAnswer, { kind: 'nothing' }>) => unknown {
  const navigate = useNavigate();
  const params = { projectId };
  return (found) => {
    switch (found.kind) {
      case 'person':
        return navigate({
          to: '/projects/$projectId/people/$inbox',
          params: { projectId, inbox: found.inbox },
        });
      case 'device':
        return navigate({ to: '/projects/$projectId/sharing', params, search: { device: found.device } });
      case 'domain':
        return navigate({
          to: '/projects/$projectId/domains/$domain',
          params: { projectId, domain: found.domain },
        });
      case 'network':
      case 'asn': {
        const { kind: _kind, ...of } = found;
        return navigate({ to: '/projects/$projectId/network', params, search: of });
      }
      case 'validation':
        return navigate({ to: '/projects/$projectId/validations', params, search: { open: found.id } });
      case 'log':
        return navigate({ to: '/projects/$projectId/validations', params, search: found.filters });
    }
  };
}
