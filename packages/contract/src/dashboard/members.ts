/** The roles in one project. */
export const PROJECT_ROLES = ['viewer', 'analyst', 'admin'] as const;
export type ProjectRole = (typeof PROJECT_ROLES)[number];
export const ROLES = [...PROJECT_ROLES, 'owner'] as const;
/**
 * A viewer reads; an analyst also reviews, changes the lists and checks files; an admin also changes projects and keys;
 * an owner also manages members.
 */
export type Role = (typeof ROLES)[number];
/** A member’s role in all projects that are not in `projects`. `none`: they see nothing of those. */
export const MEMBER_ROLES = ['none', ...ROLES] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** What a member may do in a project. An owner sees all of them. */
export function roleIn(
  { role, projects }: { role: MemberRole; projects: Readonly<Record<string, ProjectRole>> },
  projectId: string,
): MemberRole {
  if (role === 'owner') return role;
  return Object.hasOwn(projects, projectId) ? (projects[projectId] ?? 'none') : role;
}

export function hasRole(role: MemberRole, least: Role): boolean {
  return MEMBER_ROLES.indexOf(role) >= MEMBER_ROLES.indexOf(least);
}

/** GET /session: who is signed in; 401 when nobody is. PATCH /session { name } renames oneself and answers Member. */
export interface Session {
  user: Member;
  /** For CSRF_HEADER; empty when the caller came with an access token, which needs none. */
  csrf: string;
  twoFactorEnabled: boolean;
  /** The host that passkeys belong to. On a page of another host they cannot be used. */
  passkeyHost: string;
  version: string;
  /** Whether the service can send mail, for example an invitation. */
  mail: boolean;
  plans: { name: string; quota: number }[];
}

/**
 * GET /setup: whether the first account is still to be made. POST /setup makes it, with the token of
 * the printed link `/dashboard/setup#token=…`, answers Member (201) and signs in.
 */
export interface SetupState {
  needed: boolean;
  /** Whether POST /password/forgot can send a link. */
  passwordMail: boolean;
  /** The host that passkeys belong to. On a page of another host they cannot be used. */
  passkeyHost: string;
}
export interface SetupRequest {
  token: string;
  name: string;
  email: string;
  password: string;
}

/** GET /members; PATCH /members/:id { role?, projects? }; DELETE /members/:id (owner). */
export interface Member {
  id: string;
  name: string;
  email: string;
  role: MemberRole;
  /** Their role in selected projects, by the project’s ID, instead of `role`. */
  projects: Record<string, ProjectRole>;
  createdAt: number;
  /** The last use of the dashboard or an access token, to the minute. */
  lastActiveAt: number | null;
  twoFactorEnabled: boolean;
  passkeys: number;
}

/** GET /sessions: one’s own, newest first; DELETE /sessions/:id ends one. */
export interface SessionView {
  id: string;
  /** The session of this request. */
  current: boolean;
  userAgent: string;
  createdAt: number;
  lastActiveAt: number;
}

/** GET /passkeys: one’s own; PATCH /passkeys/:id { name }; DELETE /passkeys/:id. */
export interface PasskeyView {
  id: string;
  name: string;
  createdAt: number;
  /** Whether it is copied between the person’s devices. */
  synced: boolean;
}

/**
 * POST /invites { role, projects?, email? } gives a link `/dashboard/invite#token=…` that makes one account, and mails it to `email`;
 * GET /invites; DELETE /invites/:id (owner).
 */
export interface Invite {
  id: string;
  role: MemberRole;
  projects: Record<string, ProjectRole>;
  createdAt: number;
  expiresAt: number;
}
export interface NewInvite extends Invite {
  /** Shown once. */
  url: string;
  /** `sent`: the mail server took it. `failed`: pass the link on by hand. Absent when no address was given. */
  mail?: 'sent' | 'failed';
}
/** POST /invites/check { token }, without a session: whether the invitation can still be used. */
export interface InviteState {
  open: boolean;
}
/** POST /invites/accept, without a session: answers Member (201) and signs in. */
export interface AcceptInvite {
  token: string;
  name: string;
  email: string;
  password: string;
}

/**
 * POST /password/forgot, without a session: mails a link `/dashboard/reset-password#token=…` to that account. The answer
 * is the same (202) whether there is one or not; 404 where the service cannot send it.
 */
export interface ForgotPassword {
  email: string;
}
/** POST /password/check { token }, without a session: whether the link can still be used. */
export interface ResetLinkState {
  open: boolean;
}
/** POST /password/reset, without a session: sets the password once and ends every session. It does not sign in. */
export interface ResetPassword {
  token: string;
  password: string;
  /** Also removes the account’s access tokens. */
  revokeTokens?: boolean;
}
export interface PasswordWasReset {
  tokensRevoked: number;
  tokensLeft: number;
}

/**
 * GET /tokens, POST /tokens { name, expiresInDays? }, DELETE /tokens/:id: personal access tokens,
 * `Authorization: Bearer`. Only a session makes one.
 */
export interface AccessToken {
  id: string;
  name: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
}
export interface NewAccessToken extends AccessToken {
  /** Shown once. */
  token: string;
}
