import { integerOrNull, text, textOrNull } from '../columns.ts';
import { type Columns, libraryBoolean, libraryTime, tableOf } from '../table-of.ts';

// The tables of the sign-in library, with its names.

const libraryTable = <C extends Columns, N extends string>(name: N, columns: C) =>
  tableOf(name, columns, (field) => field);

export const AUTH_USER = libraryTable('auth_user', {
  id: text,
  name: text,
  email: text,
  emailVerified: libraryBoolean,
  image: textOrNull,
  createdAt: libraryTime,
  updatedAt: libraryTime,
  twoFactorEnabled: libraryBoolean,
});

export const AUTH_ACCOUNT = libraryTable('auth_account', {
  id: text,
  accountId: text,
  providerId: text,
  userId: text,
  accessToken: textOrNull,
  refreshToken: textOrNull,
  idToken: textOrNull,
  accessTokenExpiresAt: libraryTime,
  refreshTokenExpiresAt: libraryTime,
  scope: textOrNull,
  password: textOrNull,
  createdAt: libraryTime,
  updatedAt: libraryTime,
});

export const AUTH_TWO_FACTOR = libraryTable('auth_two_factor', {
  id: text,
  secret: text,
  backupCodes: text,
  userId: text,
  verified: libraryBoolean,
  failedVerificationCount: integerOrNull,
  lockedUntil: libraryTime,
});

export const AUTH_SESSION = libraryTable('auth_session', {
  id: text,
  expiresAt: libraryTime,
  token: text,
  createdAt: libraryTime,
  updatedAt: libraryTime,
  ipAddress: textOrNull,
  userAgent: textOrNull,
  userId: text,
  // Ours.
  active_at: integerOrNull,
  company: libraryBoolean,
});

export const AUTH_VERIFICATION = libraryTable('auth_verification', {
  id: text,
  identifier: text,
  value: text,
  expiresAt: libraryTime,
  createdAt: libraryTime,
  updatedAt: libraryTime,
});
