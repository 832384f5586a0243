/**
 * The dashboard’s API, under DASHBOARD_API. The pages and scripts with a personal access token use it. Times are
 * milliseconds since 1970. Errors are `{ error, field? }`.
 */

export const DASHBOARD_API = '/dashboard/api/v1';
/**
 * Sign-in. The paths are those of the authentication library. All are POST with JSON. Errors are `{ error, code? }`, and
 * a 429 has `retryAfter` in seconds.
 *
 * Without a session:
 * - `/sign-in/email { email, password, rememberMe? }` answers `{ user }` or `{ twoFactorRedirect: true }`
 * - `/two-factor/verify-totp { code, trustDevice? }` or `/two-factor/verify-backup-code { code }` comes next
 *
 * With a session and its CSRF header:
 * - `/sign-out`
 * - `/change-password { currentPassword, newPassword }` also ends the other sessions
 * - `/revoke-sessions` ends all sessions, this one too; `/revoke-other-sessions` keeps this one
 * - `/two-factor/enable { password }` answers `{ totpURI, backupCodes }`; send a code to verify-totp to complete it
 * - `/two-factor/disable { password }`, `/two-factor/generate-backup-codes { password }`
 *
 * A new password or second factor starts a new session: GET /session again for its CSRF token.
 */
export const DASHBOARD_AUTH = '/dashboard/api/auth';
/** A change sent with a session’s cookie carries this header; another site’s page cannot add it. */
export const CSRF_HEADER = 'X-Postern-Csrf';
/** The page asks by itself, and the member has not used it for minutes. Such a request does not make its member active. */
export const IDLE_HEADER = 'X-Postern-Idle';

export interface DashboardError {
  error: string;
  /** The field of the form that the error is about. */
  field?: string;
}
