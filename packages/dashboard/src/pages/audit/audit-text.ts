import type { AuditAction, AuditEntry } from '@postern/contract/dashboard';
import { POLICY_FIELDS, PROJECT_FIELDS } from '@postern/contract/project-fields';
import { actorName as nameOfActor } from '../../components/actor-name.ts';
import { CHECKS } from '../../components/check-names.ts';
import { absoluteTime } from '../../components/format.ts';

/** What each action is called. */
export const ACTIONS: Readonly<Record<AuditAction, string>> = {
  'project.create': 'created the project',
  'project.update': 'changed the project',
  'project.lists': 'changed the lists',
  'project.rules': 'changed the rules',
  'project.delete': 'deleted the project',
  'key.create': 'created a key',
  'key.regenerate': 'regenerated a key',
  'key.revoke': 'revoked a key',
  'hook.create': 'created a hook',
  'hook.rotate': 'gave a hook another secret',
  'hook.delete': 'deleted a hook',
  'claim.release': 'released a claim',
  'step-up.vendor': 'changed the CAPTCHA account',
  'bulk.check': 'checked a file of addresses',
  'person.judge': 'marked a person as good or bad',
  'person.judge-undo': 'took back the mark on a person',
  'webhook.pause': 'paused a webhook',
  'campaign.acknowledge': 'looked at a campaign',
  'campaign.decide': 'decided about a campaign',
  'campaign.undo': 'took back a decision about a campaign',
  'review.decide': 'decided a sign-up in the review queue',
  'note.create': 'wrote a note',
  'note.delete': 'deleted a note',
  'outcomes.import': 'imported outcomes',
  'webhook.create': 'created a webhook',
  'webhook.update': 'changed a webhook',
  'webhook.delete': 'deleted a webhook',
  'webhook.rotate': 'made a new secret for a webhook',
  'webhook.enable': 'switched a webhook on again',
  'webhook.disable': 'switched a webhook off because its receiver failed',
  'webhook.resend': 'sent a webhook again',
  'person.export': 'exported what is stored about a person',
  'person.forget': 'erased a person’s data',
  'data.export': 'downloaded data',
  'audit.prune': 'deleted old entries of the audit log',
  'member.sign-in': 'signed in',
  'member.sign-in-failed': 'failed to sign in',
  'member.create': 'joined',
  'member.rename': 'changed their name',
  'member.role': 'changed a role',
  'member.remove': 'removed a member',
  'member.password': 'changed their password',
  'member.password-reset': 'reset a member’s password',
  'member.sign-out-everywhere': 'signed out everywhere',
  'member.sign-out-elsewhere': 'signed out elsewhere',
  'member.sign-out-session': 'signed out one of their devices',
  'member.second-factor-begin': 'started to set up a second factor',
  'member.second-factor-on': 'switched the second factor on',
  'member.second-factor-off': 'switched the second factor off',
  'member.backup-codes': 'made new backup codes',
  'member.company-link': 'linked the company sign-in to an account',
  'member.verify-address': 'confirmed a member’s address',
  'member.sign-in-link': 'made a link that signs a member in',
  'invite.create': 'invited someone',
  'invite.withdraw': 'withdrew an invitation',
  'token.create': 'created an access token',
  'token.remove': 'removed an access token',
  'clock.trust': 'confirmed the clock after a long pause',
  'signing-key.rotate': 'rotated the verdict key',
  'signing-key.revoke': 'revoked the verdict key',
  'feed.accept': 'accepted a feed that had changed a lot',
};

const isKnown = (action: string): action is AuditAction => Object.hasOwn(ACTIONS, action);

/** What was done, in words. An unknown action is shown unchanged. */
export function actionText({ action, detail }: Pick<AuditEntry, 'action' | 'detail'>): string {
  if (action === 'project.update' && 'archivedAt' in detail) {
    return detail.archivedAt === null ? 'restored the project' : 'archived the project';
  }
  return isKnown(action) ? ACTIONS[action] : action;
}

export function actorText({ actor, actorName }: Pick<AuditEntry, 'actor' | 'actorName'>): string {
  return nameOfActor(actor, actorName);
}

const WORDS: Readonly<Record<string, string>> = {
  id: 'ID',
  keyId: 'Key',
  type: 'Type',
  mode: 'Mode',
  role: 'Role',
  expiresAt: 'Expires',
  inviteId: 'Invitation',
  tokenId: 'Token',
  inboxes: 'Inboxes',
  devices: 'Devices',
  sightings: 'Sightings',
  logRows: 'Log rows',
  outcomes: 'Outcomes',
  revokedTokens: 'Access tokens removed',
  kid: 'Key ID',
  validationId: 'Validation',
  webhookId: 'Webhook',
  peopleNowGood: 'People now known to be good',
  peopleNowBad: 'People now known to be bad',
  subject: 'About',
  projects: 'In selected projects',
  rows: 'Rows in the file',
  checked: 'Rows checked',
  end: 'Result',
  reason: 'Reason',
  address: 'From',
  token: 'With the access token',
  by: 'By',
  problem: 'Problem',
  path: 'What',
  issuer: 'Provider',
  rulesChanged: 'Rules, new or changed',
  rulesBefore: 'Rules before',
  rulesRemoved: 'Rules deleted',
  rulesOrder: 'Rules, new order',
  allowListAdded: `${PROJECT_FIELDS.allowList.label}, added`,
  allowListRemoved: `${PROJECT_FIELDS.allowList.label}, removed`,
  blockListAdded: `${PROJECT_FIELDS.blockList.label}, added`,
  blockListRemoved: `${PROJECT_FIELDS.blockList.label}, removed`,
};

/** The details of the entry, one line for each. */
export function detailLines({ detail, memberName }: Pick<AuditEntry, 'detail' | 'memberName'>): string[] {
  return Object.entries(detail).flatMap(([name, value]) => {
    if (name === 'archivedAt' || value === undefined) return [];
    if (name === 'memberId') return [`Member: ${memberName ?? 'a former member'}`];
    if (name === 'before' && isObject(value))
      return detailLines({ detail: value, memberName }).map((line) => `Before: ${line}`);
    if (name === 'policy' && isObject(value)) return policyLines(value);
    if (name === 'policyBefore' && isObject(value))
      return policyLines(value).map((line) => `Before: ${line}`);
    const field = Object.hasOwn(PROJECT_FIELDS, name)
      ? PROJECT_FIELDS[name as keyof typeof PROJECT_FIELDS]
      : undefined;
    if (field !== undefined && 'nullWord' in field && value === null)
      return [`${field.label}: the ${field.nullWord}’s`];
    const unit = field?.kind === 'count' ? ` ${field.unit}` : '';
    return [`${field?.label ?? WORDS[name] ?? spaced(name)}: ${valueText(name, value)}${unit}`];
  });
}

function policyLines(policy: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(policy).flatMap(([name, value]) => {
    if (name === 'actions' && isObject(value)) {
      const actions = Object.entries(CHECKS).map(([check, { title }]) => `${title} ${value[check] ?? 'off'}`);
      return [`Checks: ${actions.join(', ')}`];
    }
    const field = Object.hasOwn(POLICY_FIELDS, name)
      ? POLICY_FIELDS[name as keyof typeof POLICY_FIELDS]
      : undefined;
    const unit = field?.kind === 'count' ? ` ${field.unit}` : '';
    return [`${field?.label ?? spaced(name)}: ${valueText(name, value)}${unit}`];
  });
}

function valueText(name: string, value: unknown): string {
  if (value === null) return 'none';
  if (name === 'projects' && isObject(value))
    return (
      Object.entries(value)
        .map(([id, role]) => `${role} of ${id}`)
        .join(', ') || 'none'
    );
  if (Array.isArray(value)) return value.map(entryText).join(', ') || 'none';
  if (typeof value === 'number' && /At$/.test(name)) return absoluteTime(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return isObject(value) ? JSON.stringify(value) : String(value);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function entryText(entry: unknown): string {
  if (isObject(entry) && 'when' in entry)
    return `${entry.id} (${entry.then} if ${entry.when}, ${entry.mode})`;
  if (!isObject(entry) || !('value' in entry)) return String(entry);
  const end = typeof entry.expiresAt === 'number' ? ` (until ${absoluteTime(entry.expiresAt)})` : '';
  return `${entry.value}${end}`;
}

/** `createdBy` as “Created by”. */
function spaced(name: string): string {
  const words = name.replace(
    /([a-z])([A-Z])/g,
    (_, end: string, start: string) => `${end} ${start.toLowerCase()}`,
  );
  return words.charAt(0).toUpperCase() + words.slice(1);
}
