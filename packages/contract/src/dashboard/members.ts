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
  plans: { name: string; quota: number }[];
}

/**
 * GET /setup: whether the first account is still to be made. POST /setup makes it, with the token of
 * the printed link `/dashboard/setup#token=…`, answers Member (201) and signs in.
 */
export interface SetupState {
  needed: boolean;
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

/** POST /invites { role } gives a link `/dashboard/invite#token=…` that makes one account; GET /invites; DELETE /invites/:id (owner). */
export interface Invite {
  id: string;
  role: Role;
  createdAt: number;
  expiresAt: number;
}
export interface NewInvite extends Invite {
  /** Shown once. */
  url: string;
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
