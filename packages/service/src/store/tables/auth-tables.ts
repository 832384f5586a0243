import { integerOrNull, text, textOrNull } from '../columns.ts';
import { asNamed, libraryBoolean, libraryTime, tableOf } from '../table-of.ts';

// The tables of the sign-in library, with its names.

export const AUTH_USER = tableOf(
  'auth_user',
  {
    id: text,
    name: text,
    email: text,
    emailVerified: libraryBoolean,
    image: textOrNull,
    createdAt: libraryTime,
    updatedAt: libraryTime,
    twoFactorEnabled: libraryBoolean,
  },
  asNamed,
);

export const AUTH_ACCOUNT = tableOf(
  'auth_account',
  {
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
  },
  asNamed,
);

export const AUTH_TWO_FACTOR = tableOf(
  'auth_two_factor',
  {
    id: text,
    secret: text,
    backupCodes: text,
    userId: text,
    verified: libraryBoolean,
    failedVerificationCount: integerOrNull,
    lockedUntil: libraryTime,
  },
  asNamed,
);

export const AUTH_SESSION = tableOf(
  'auth_session',
  {
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
  },
  asNamed,
);

export const AUTH_VERIFICATION = tableOf(
  'auth_verification',
  {
    id: text,
    identifier: text,
    value: text,
    expiresAt: libraryTime,
    createdAt: libraryTime,
    updatedAt: libraryTime,
  },
  asNamed,
);
