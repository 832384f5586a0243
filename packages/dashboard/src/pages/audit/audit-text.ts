const ACTIONS: Readonly<Record<string, string>> = {
  'project.create': 'created the project',
  'project.update': 'changed the project',
  'project.archive': 'archived the project',
  'project.restore': 'restored the project',
  'key.create': 'created a key',
  'key.regenerate': 'regenerated a key',
  'key.revoke': 'revoked a key',
  'member.create': 'joined',
  'member.rename': 'changed their name',
  'member.role': 'changed a role',
  'member.remove': 'removed a member',
  'member.password': 'changed their password',
  'member.password-reset': 'reset a member’s password',
  'member.sign-out-everywhere': 'signed out everywhere',
  'member.sign-out-elsewhere': 'signed out elsewhere',
  'member.second-factor-begin': 'began a second factor',
  'member.second-factor-on': 'switched the second factor on',
  'member.second-factor-off': 'switched the second factor off',
  'member.backup-codes': 'made new backup codes',
  'invite.create': 'invited somebody',
  'invite.withdraw': 'withdrew an invitation',
  'token.create': 'created an access token',
  'token.remove': 'removed an access token',
  'person.forget': 'made the project forget a person',
  'signing-key.rotate': 'rotated the verdict key',
  'signing-key.revoke': 'revoked the verdict key',
};

/** What was done, as a person says it; an action that has no words yet stands as it is. */
export const actionText = (action: string) => ACTIONS[action] ?? action;

/** The details as `name: value`, nested ones by their path. */
export function detailLines(detail: Readonly<Record<string, unknown>>, path = ''): string[] {
  return Object.entries(detail).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    const full = `${path}${name}`;
    if (Array.isArray(value)) return [`${full}: ${value.map(entryText).join(', ') || 'empty'}`];
    if (typeof value === 'object') return detailLines(value as Record<string, unknown>, `${full}.`);
    return [`${full}: ${String(value)}`];
  });
}

const entryText = (entry: unknown) =>
  typeof entry === 'object' && entry !== null && 'value' in entry ? String(entry.value) : String(entry);
