export const ROLES = ['viewer', 'admin', 'owner'] as const;
/** A viewer reads; an admin changes projects and keys; an owner also manages members. */
export type Role = (typeof ROLES)[number];

/** GET /session: who is signed in; 401 when nobody is. PATCH /session { name } renames oneself and answers Member. */
export interface Session {
  user: Member;
  /** For CSRF_HEADER; empty when the caller came with an access token, which needs none. */
  csrf: string;
  twoFactorEnabled: boolean;
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
}
export interface SetupRequest {
  token: string;
  name: string;
  email: string;
  password: string;
}

/** GET /members; PATCH /members/:id { role }; DELETE /members/:id (owner). */
export interface Member {
  id: string;
  name: string;
  email: string;
  role: Role;
  createdAt: number;
}

/**
 * POST /invites { role, email? } gives a link `/dashboard/invite#token=…` that makes one account, and mails it to `email`;
 * GET /invites; DELETE /invites/:id (owner).
 */
export interface Invite {
  id: string;
  role: Role;
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
