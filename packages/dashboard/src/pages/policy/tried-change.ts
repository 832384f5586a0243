import { isAction, isCheckName, isPolicySignal } from '@postern/contract';
import type { ProjectPolicy } from '@postern/contract/project-fields';
import { withAction } from '../../components/policy-change.ts';

/**
 * The policy with a change from the address bar: a check with its action (`roleEmail:block`) or a signal
 * (`new_domain:flag`). Anything else changes nothing.
 */
export function withTried(policy: ProjectPolicy, tried: string | undefined): ProjectPolicy {
  const [name = '', action = ''] = tried?.split(':') ?? [];
  if (isCheckName(name) && isAction(action)) return withAction(policy, name, action);
  if (isPolicySignal(name) && action === 'flag')
    return { ...policy, signals: { ...policy.signals, [name]: 'flag' } };
  return policy;
}
