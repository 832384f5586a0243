import type { CheckName } from '@postern/contract';
import type { ProjectPolicy } from '@postern/contract/project-fields';
import { CHECKS } from './check-names.ts';

/** The check that an entry of the block list fails. */
export const checkOfEntry = (what: 'address' | 'domain' | 'network'): CheckName =>
  what === 'network' ? 'ip' : 'disposable';

/** The effect of an entry if the policy does not block the check that it fails. */
export function blockListHint(policy: ProjectPolicy, check: CheckName): string | undefined {
  const action = policy.actions[check] ?? 'off';
  if (action === 'block') return undefined;
  const title = CHECKS[check].title;
  return action === 'off'
    ? `Entries on the block list fail the check “${title}”, which is off. Switch it on under Policy.`
    : `Entries on the block list fail the check “${title}”. Your policy’s action for it is ${action}.`;
}

/** The effect of an entry, as a sentence to show after it was added. */
export function blockListEffect(
  policy: ProjectPolicy,
  check: CheckName,
  name: string,
  until: string,
): string {
  const hint = blockListHint(policy, check);
  return hint === undefined
    ? `${name} is blocked ${until}.`
    : `${name} is on the block list ${until}. ${hint}`;
}
