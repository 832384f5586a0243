/**
 * The dashboard’s API, under DASHBOARD_API. The pages, scripts with a personal access token and the service share
 * these types. Times are milliseconds since 1970. Errors are `{ error, field? }` with the status that fits.
 */

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

export interface DashboardError {
  error: string;
  /** The field of the form that the error is about. */
  field?: string;
}
