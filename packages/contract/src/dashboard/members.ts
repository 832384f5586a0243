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

export interface Session {
  user: Member;
  /** For CSRF_HEADER; empty when the caller came with an access token, which needs none. */
  csrf: string;
  twoFactorEnabled: boolean;
  version: string;
  /** Whether the service can send mail, for example an invitation. */
  mail: boolean;
  /** The operator’s own page about a sign-up, with `{requestId}` for its request ID. */
  adminLink: string | null;
  plans: { name: string; quota: number }[];
  /** How long projects without a log retention of their own keep log rows. No project keeps them longer. */
  logRetentionDays: number;
}

export interface SetupState {
  needed: boolean;
  /** Whether POST /password/forgot can send a link. */
  passwordMail: boolean;
  /** Whether people can sign in with a password. Otherwise only the company sign-in lets them in. */
  passwords: boolean;
  /** The company sign-in, with the text of its button; `null` if there is none. */
  company: { name: string } | null;
}
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
}

export interface SessionView {
  id: string;
  /** The session of this request. */
  current: boolean;
  userAgent: string;
  createdAt: number;
  lastActiveAt: number;
}

export interface Invite {
  id: string;
  role: MemberRole;
  projects: Record<string, ProjectRole>;
  createdAt: number;
  expiresAt: number;
}
export interface NewInvite extends Invite {
  /** `/dashboard/invite#token=…`, which makes one account. Shown once. */
  url: string;
  /** `sent`: the mail server took it. `failed`: pass the link on by hand. Absent when no address was given. */
  mail?: 'sent' | 'failed';
}
export interface InviteState {
  /** Whether the invitation can still be used. */
  open: boolean;
}
export interface ResetLinkState {
  /** Whether the link can still be used. */
  open: boolean;
}
/** How many access tokens ended with the sessions, and how many still work. */
export interface PasswordWasReset {
  tokensRevoked: number;
  tokensLeft: number;
}

/** `full`: what its member may do. `read`: only GET requests. */
export const TOKEN_SCOPES = ['full', 'read'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** A personal access token, sent as `Authorization: Bearer`. */
export interface AccessToken {
  id: string;
  name: string;
  scope: TokenScope;
  /** The ID of the only project that it may use. */
  onlyProject: string | null;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
}
export interface NewAccessToken extends AccessToken {
  /** Shown once. */
  token: string;
}
