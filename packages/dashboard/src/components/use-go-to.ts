import type { SearchAnswer } from '@postern/contract/dashboard';
import { useNavigate } from '@tanstack/react-router';

/** Opens the page about what a search found. */
export function useGoTo(projectId: string): (found: Exclude<SearchAnswer, { kind: 'nothing' }>) => unknown {
  const navigate = useNavigate();
  const params = { projectId };
  return (found) => {
    switch (found.kind) {
      case 'person':
        return navigate({ to: '/projects/$projectId/thing', params, search: { person: found.inbox } });
      case 'device':
        return navigate({ to: '/projects/$projectId/thing', params, search: { device: found.device } });
      case 'domain':
        return navigate({ to: '/projects/$projectId/thing', params, search: { domain: found.domain } });
      case 'network':
        return navigate({ to: '/projects/$projectId/thing', params, search: { network: found.network } });
      case 'asn':
        return navigate({ to: '/projects/$projectId/thing', params, search: { asn: String(found.asn) } });
      case 'validation':
        return navigate({ to: '/projects/$projectId/validations', params, search: { open: found.id } });
      case 'log':
        return navigate({ to: '/projects/$projectId/validations', params, search: found.filters });
    }
  };
}
