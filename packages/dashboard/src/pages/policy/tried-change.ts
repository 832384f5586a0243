import { isAction, isCheckName } from '@postern/contract';
import type { ProjectPolicy } from '@postern/contract/project-fields';
import { withAction } from '../../components/policy-change.ts';

/** The policy with a change from the address bar, such as `roleEmail:block`. Anything else changes nothing. */
export function withTried(policy: ProjectPolicy, tried: string | undefined): ProjectPolicy {
  const [check = '', action = ''] = tried?.split(':') ?? [];
  return isCheckName(check) && isAction(action) ? withAction(policy, check, action) : policy;
}
