/** What the audit log records. The filter of the dashboard lists the actions in this order. */
export const AUDIT_ACTIONS = [
  'project.create',
  'project.update',
  'project.lists',
  'project.rules',
  'project.delete',
  'key.create',
  'key.regenerate',
  'key.revoke',
  'hook.create',
  'hook.rotate',
  'hook.delete',
  'claim.release',
  'step-up.vendor',
  'bulk.check',
  'person.judge',
  'person.judge-undo',
  'review.decide',
  'campaign.acknowledge',
  'campaign.decide',
  'campaign.undo',
  'note.create',
  'note.delete',
  'outcomes.import',
  'webhook.create',
  'webhook.update',
  'webhook.pause',
  'webhook.delete',
  'webhook.rotate',
  'webhook.enable',
  'webhook.disable',
  'webhook.resend',
  'person.export',
  'person.forget',
  'data.export',
  'audit.prune',
  'member.sign-in',
  'member.sign-in-failed',
  'member.create',
  'member.rename',
  'member.role',
  'member.remove',
  'member.password',
  'member.password-reset',
  'member.sign-out-everywhere',
  'member.sign-out-elsewhere',
  'member.sign-out-session',
  'member.second-factor-begin',
  'member.second-factor-on',
  'member.second-factor-off',
  'member.backup-codes',
  'member.company-link',
  'member.verify-address',
  'member.sign-in-link',
  'invite.create',
  'invite.withdraw',
  'token.create',
  'token.remove',
  'clock.trust',
  'signing-key.rotate',
  'signing-key.revoke',
  'feed.accept',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export interface AuditView {
  rows: AuditEntry[];
  next: string | null;
}
export interface AuditEntry {
  at: number;
  /** A member's ID, `cli` or `service`. */
  actor: string;
  actorName: string | null;
  /** One of AUDIT_ACTIONS, unless a later version wrote it. */
  action: string;
  projectId: string | null;
  /** The member that the entry is about, where there is one and they are still a member. */
  memberName: string | null;
  detail: Record<string, unknown>;
  /** The place in the chain and its hash, which `postern audit verify` checks; `null` for a moment. */
  seq: number | null;
  hash: string | null;
}
