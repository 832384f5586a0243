/**
 * The dashboard’s own API, under DASHBOARD_API. Pages, scripts with a personal access token, and the service read
 * these types. Times are milliseconds since 1970. Errors are `{ error, field? }` with the status that fits.
 */
import type { Action, CheckActions, CheckName, Recommendation } from './checks.ts';
import type { MessageTone } from './messages.ts';
import type { KeyType } from './validate-request.ts';
import type { CheckResult, ValidateResponse } from './validate-response.ts';

export const DASHBOARD_API = '/dashboard/api/v1';
/**
 * Sign-in, as the authentication library lays it out; all POST with JSON, errors as everywhere `{ error, code? }`.
 * Open: `/sign-in/email { email, password, rememberMe? }`, which answers `{ user }` or `{ twoFactorRedirect: true }`;
 * then `/two-factor/verify-totp { code, trustDevice? }` or `/two-factor/verify-backup-code { code }`.
 * With a session and its CSRF header: `/sign-out`, `/change-password { currentPassword, newPassword }` (ends the
 * other sessions), `/revoke-sessions` (signs out everywhere, here too), `/revoke-other-sessions`,
 * `/two-factor/enable { password }` (answers `{ totpURI, backupCodes }`; a right code sent to verify-totp completes
 * it), `/two-factor/disable { password }`, `/two-factor/generate-backup-codes { password }`.
 * A changed password or second factor begins a new session: GET /session again for its CSRF token.
 * 429 carries `retryAfter` in seconds.
 */
export const DASHBOARD_AUTH = '/dashboard/api/auth';
/** A change sent with a session’s cookie carries this header; another site’s page cannot add it. */
export const CSRF_HEADER = 'X-Postern-Csrf';

export const ROLES = ['viewer', 'admin', 'owner'] as const;
/** A viewer reads; an admin changes projects and keys; an owner also manages members. */
export type Role = (typeof ROLES)[number];

export interface DashboardError {
  error: string;
  /** The field of the form that the error is about. */
  field?: string;
}

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

export interface ListEntryView {
  value: string;
  note?: string;
  expiresAt?: number;
}

export interface PolicyView {
  actions: CheckActions;
  clientOverrides: 'allow' | 'tighten' | 'ignore';
  relays: 'pass' | 'fail';
  deviceThreshold: number;
  deviceCommonNetworks: number;
  messageTone: MessageTone;
}

/** GET /projects, POST /projects, GET /projects/:id, PATCH /projects/:id (ProjectPatch), POST /projects/:id/archive and /restore. */
export interface ProjectView {
  id: string;
  name: string;
  allowedDomains: string[];
  plan: string;
  /** The project’s own limit; `null`: the plan’s. */
  quotaLimit: number | null;
  rateClient: number;
  rateServer: number;
  policy: PolicyView;
  allowList: ListEntryView[];
  blockList: ListEntryView[];
  retentionDays: number;
  createdAt: number;
  archivedAt: number | null;
  quota: { limit: number; used: number; resetAt: string };
}
export interface NewProjectRequest {
  id?: string;
  name: string;
  allowedDomains?: string[];
  plan?: string;
}
export type ProjectPatch = Partial<
  Pick<
    ProjectView,
    | 'name'
    | 'allowedDomains'
    | 'plan'
    | 'quotaLimit'
    | 'rateClient'
    | 'rateServer'
    | 'retentionDays'
    | 'allowList'
    | 'blockList'
  >
> & {
  policy?: Partial<Omit<PolicyView, 'actions'>> & { actions?: Partial<Record<CheckName, Action | 'off'>> };
};

/** POST /projects/:id/origin-test { origin, allowedDomains? }: which pattern lets the origin in. */
export interface OriginTest {
  allowed: boolean;
  matchedBy: string | null;
  /** Patterns that are none, each with what is wrong. */
  invalid: { pattern: string; error: string }[];
  /** Patterns that let in more than they seem to, each with whom. */
  warnings: { pattern: string; warning: string }[];
}

/** GET /projects/:id/keys, POST /projects/:id/keys (NewKeyRequest), POST /keys/:keyId/regenerate, POST /keys/:keyId/revoke. */
export interface KeyView {
  id: string;
  projectId: string;
  type: KeyType;
  mode: 'live' | 'test';
  name: string;
  hint: string;
  status: 'live' | 'expired' | 'revoked';
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
  ageDays: number;
  rotationDue: boolean;
}
export interface NewKeyRequest {
  type: KeyType;
  mode?: 'live' | 'test';
  name?: string;
  expiresInDays?: number;
}
export interface NewKeyView extends KeyView {
  /** The secret, this once. */
  key: string;
}

/** GET /projects/:id/overview?from=&to= */
export interface Overview {
  from: number;
  to: number;
  /** One row for each hour or day, oldest first, without gaps. */
  bucketMs: number;
  series: {
    at: number;
    allow: number;
    flag: number;
    block: number;
    rateLimited: number;
    quotaExceeded: number;
  }[];
  totals: {
    validations: number;
    allow: number;
    flag: number;
    block: number;
    rateLimited: number;
    quotaExceeded: number;
  };
  failedChecks: { check: CheckName; count: number }[];
  signals: { signal: string; count: number }[];
  domains: { domain: string; count: number; blocked: number }[];
  /** Of the rows’ `latencyMs`: what the checks took, without the counting and the answer. */
  latencyMs: { p50: number; p95: number; p99: number } | null;
  /** How many log rows the four above were worked out from; `true` when the newest of them stand for all. */
  sampled: { rows: number; partial: boolean };
  quota: { limit: number; used: number; resetAt: string };
}

/** GET /projects/:id/validations?recommendation=&check=&signal=&domain=&device=&inbox=&mode=&from=&to=&cursor=&limit= */
export interface ValidationPage {
  rows: ValidationRow[];
  next: string | null;
}
export interface ValidationRow {
  id: string;
  at: number;
  requestId: string;
  keyType: KeyType;
  mode: 'live' | 'test';
  maskedAddress: string;
  domain: string;
  maskedIp: string | null;
  sdkVersion: string | null;
  device: string | null;
  inbox: string;
  recommendation: Recommendation;
  failed: CheckName[];
  signals: string[];
  /** Until every check had its finding; the row is written with the counting, so that time is not in it. */
  latencyMs: number;
}
/** GET /projects/:id/validations/:validationId; GET …/validations.csv with the same filters exports. */
export interface ValidationDetail extends ValidationRow {
  actions: CheckActions;
  checks: Partial<Record<CheckName, CheckResult>>;
  history: {
    previousSignups: number;
    otherAddresses: number;
    networks: number;
    inboxReused: boolean;
  };
}

/** GET /projects/:id/devices/:hash and /projects/:id/inboxes/:hash: who shares what. */
export interface SharingView {
  kind: 'device' | 'inbox';
  hash: string;
  sightings: { device: string; inbox: string; firstSeen: number; lastSeen: number; count: number }[];
  /** The newest validations of it, for names that a person can read. */
  recent: ValidationRow[];
}

/** POST /projects/:id/forget: what the project keeps of an address or a device, counted, or erased for good. */
export interface ForgetRequest {
  email?: string;
  fingerprintHash?: string;
  /** `false`, the default: only counted. */
  erase?: boolean;
}
export interface ForgetAnswer {
  inboxes: number;
  devices: number;
  /** Pairs of a device and an inbox that it brought. */
  sightings: number;
  logRows: number;
  /** The project’s own lists that name the address; it stays there. */
  listedIn: ('allowList' | 'blockList')[];
  erased: boolean;
}

/** POST /projects/:id/playground: the same answer as the API’s, nothing counted and nothing kept. */
export interface PlaygroundRequest {
  email: string;
  ip?: string;
  fingerprintHash?: string;
  userAgent?: string;
  /** An edited policy to try. */
  policy?: ProjectPatch['policy'];
}
export interface PlaygroundAnswer {
  status: number;
  body: ValidateResponse | { error: string };
}

/**
 * POST /projects/:id/time-machine { policy, days? }: what the stored history would have been under another policy.
 * Actions, deviceThreshold, deviceCommonNetworks and relays are replayed; the lists and clientOverrides are not.
 * Test keys’ rows are left out.
 */
export interface TimeMachineReport {
  considered: number;
  /** The oldest and the newest moment of what was looked at; the log may not go back as far as was asked. */
  from: number;
  to: number;
  /** `partial`: only the newest rows were looked at. */
  partial: boolean;
  before: Record<Recommendation, number>;
  after: Record<Recommendation, number>;
  changes: { from: Recommendation; to: Recommendation; count: number; examples: ValidationRow[] }[];
  /** Checks that the policy adds but that did not run then: they cannot be replayed, and count as passed. */
  unknown: CheckName[];
  /**
   * Rows that did not run with today’s actions, because they brought `validations` of their own or an older
   * policy held. They are replayed as if the policy had applied to them.
   */
  otherActions: number;
}

/** GET /health */
export interface HealthView {
  status: 'ready' | 'degraded' | 'unavailable';
  version: string;
  parts: {
    name: string;
    status: 'ok' | 'degraded' | 'down';
    message: string | null;
    facts: Record<string, unknown>;
  }[];
  feeds: {
    name: string;
    list: string;
    entries: number;
    fetchedAt: number | null;
    error: string | null;
    stale: boolean;
  }[];
}

/** GET /audit?project=&before=&limit= */
export interface AuditView {
  rows: {
    at: number;
    actor: string;
    actorName: string | null;
    action: string;
    projectId: string | null;
    detail: Record<string, unknown>;
  }[];
  next: number | null;
}
