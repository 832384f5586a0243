import type { Migration } from '../../migration.ts';

/** The dashboard’s people. A line of its own: the request’s path never touches these tables. */
export const people: Migration = {
  number: 1,
  name: 'people',
  sql: `
-- The library's tables, with its own column names. Their times are filled in when this code makes an account.
CREATE TABLE auth_user (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  name TEXT COLLATE "C" NOT NULL,
  email TEXT COLLATE "C" NOT NULL UNIQUE,
  "emailVerified" BOOLEAN NOT NULL,
  image TEXT COLLATE "C",
  "createdAt" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "updatedAt" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "twoFactorEnabled" BOOLEAN
);

CREATE TABLE auth_session (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  "expiresAt" TIMESTAMPTZ NOT NULL,
  token TEXT COLLATE "C" NOT NULL UNIQUE,
  "createdAt" TIMESTAMPTZ NOT NULL,
  "updatedAt" TIMESTAMPTZ NOT NULL,
  "ipAddress" TEXT COLLATE "C",
  "userAgent" TEXT COLLATE "C",
  "userId" TEXT COLLATE "C" NOT NULL
);
CREATE INDEX auth_session_by_user ON auth_session ("userId");

CREATE TABLE auth_account (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  "accountId" TEXT COLLATE "C" NOT NULL,
  "providerId" TEXT COLLATE "C" NOT NULL,
  "userId" TEXT COLLATE "C" NOT NULL,
  "accessToken" TEXT COLLATE "C",
  "refreshToken" TEXT COLLATE "C",
  "idToken" TEXT COLLATE "C",
  "accessTokenExpiresAt" TIMESTAMPTZ,
  "refreshTokenExpiresAt" TIMESTAMPTZ,
  scope TEXT COLLATE "C",
  password TEXT COLLATE "C",
  "createdAt" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "updatedAt" TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE INDEX auth_account_by_user ON auth_account ("userId");

CREATE TABLE auth_verification (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  identifier TEXT COLLATE "C" NOT NULL,
  value TEXT COLLATE "C" NOT NULL,
  "expiresAt" TIMESTAMPTZ NOT NULL,
  "createdAt" TIMESTAMPTZ NOT NULL,
  "updatedAt" TIMESTAMPTZ NOT NULL
);
CREATE INDEX auth_verification_by_identifier ON auth_verification (identifier);

CREATE TABLE auth_two_factor (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  secret TEXT COLLATE "C" NOT NULL,
  "backupCodes" TEXT COLLATE "C" NOT NULL,
  "userId" TEXT COLLATE "C" NOT NULL,
  verified BOOLEAN,
  "failedVerificationCount" BIGINT,
  "lockedUntil" TIMESTAMPTZ
);
CREATE INDEX auth_two_factor_by_user ON auth_two_factor ("userId");

-- Who may do what. The library knows nothing of roles and cannot change one.
CREATE TABLE member (
  user_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  role TEXT COLLATE "C" NOT NULL,
  joined_at BIGINT NOT NULL
);

-- Links that make one account each: the set-up link and invitations. Only the token's hash is kept.
CREATE TABLE account_link (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  kind TEXT COLLATE "C" NOT NULL,
  hash TEXT COLLATE "C" NOT NULL UNIQUE,
  role TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE TABLE access_token (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  user_id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  hash TEXT COLLATE "C" NOT NULL UNIQUE,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  last_used_at BIGINT
);
CREATE INDEX access_token_by_user ON access_token (user_id);

-- Attempts to sign in, counted in windows that begin with the first.
CREATE TABLE sign_in_attempt (
  name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  count BIGINT NOT NULL,
  resets_at BIGINT NOT NULL
);
CREATE INDEX sign_in_attempt_by_end ON sign_in_attempt (resets_at);
`,
};
