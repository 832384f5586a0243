import type { CheckName } from '@postern/contract';
import type { ProjectPolicy } from '@postern/contract/project-fields';
import { CHECKS } from './check-names.ts';
import { actionOf } from './policy-change.ts';

/** The check that an entry of the block list fails. */
export const checkOfEntry = (what: 'address' | 'domain' | 'network'): CheckName =>
  what === 'network' ? 'ip' : 'disposable';

/** What an entry does if it does not block: it fails a check, and the policy says what that means. */
export function blockListHint(policy: ProjectPolicy, check: CheckName): string | undefined {
  const action = actionOf(policy, check);
  if (action === 'block') return undefined;
  const title = CHECKS[check].title;
  return action === 'off'
    ? `An entry of the block list fails the check “${title}”, which is off. Switch it on under Policy.`
    : `An entry of the block list fails the check “${title}”, which your policy answers with ${action}.`;
}

/** What follows from an entry, in a sentence for after it was added. */
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
