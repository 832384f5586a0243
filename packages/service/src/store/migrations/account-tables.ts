/** Secrets, the audit log and the dashboard’s members. They belong to the whole store. */
export const accountTables = `
CREATE TABLE secret (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE signing_key (
  kid TEXT NOT NULL PRIMARY KEY,
  private_key TEXT NOT NULL,
  public_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  retired_at INTEGER
) WITHOUT ROWID;

-- The SDK files that this and earlier builds handed out. A name has content or points to a name that has.
CREATE TABLE sdk_file (
  name TEXT NOT NULL PRIMARY KEY,
  content TEXT,
  target TEXT,
  seen_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE audit (
  id TEXT NOT NULL PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  project_id TEXT,
  detail TEXT NOT NULL,
  seq INTEGER,
  hash TEXT
) WITHOUT ROWID;
-- The chain: each place exists once, and the rows that have none yet are few.
CREATE UNIQUE INDEX audit_chain ON audit (seq);
CREATE INDEX audit_by_time ON audit (at);
CREATE INDEX audit_by_project ON audit (project_id, at);

-- The sign-in library's tables, with its own column names. Their times are filled in when this code makes an account.
CREATE TABLE auth_user (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  "emailVerified" BOOLEAN NOT NULL,
  image TEXT,
  "createdAt" DATE NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  "updatedAt" DATE NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  "twoFactorEnabled" BOOLEAN
);

-- The library knows nothing of active_at. company: it began with the company's sign-in.
CREATE TABLE auth_session (
  id TEXT NOT NULL PRIMARY KEY,
  "expiresAt" DATE NOT NULL,
  token TEXT NOT NULL UNIQUE,
  "createdAt" DATE NOT NULL,
  "updatedAt" DATE NOT NULL,
  "ipAddress" TEXT,
  "userAgent" TEXT,
  "userId" TEXT NOT NULL,
  active_at INTEGER,
  company BOOLEAN
);
CREATE INDEX auth_session_by_user ON auth_session ("userId");

CREATE TABLE auth_account (
  id TEXT NOT NULL PRIMARY KEY,
  "accountId" TEXT NOT NULL,
  "providerId" TEXT NOT NULL,
  "userId" TEXT NOT NULL,
  "accessToken" TEXT,
  "refreshToken" TEXT,
  "idToken" TEXT,
  "accessTokenExpiresAt" DATE,
  "refreshTokenExpiresAt" DATE,
  scope TEXT,
  password TEXT,
  "createdAt" DATE NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  "updatedAt" DATE NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
);
CREATE INDEX auth_account_by_user ON auth_account ("userId");

CREATE TABLE auth_verification (
  id TEXT NOT NULL PRIMARY KEY,
  identifier TEXT NOT NULL,
  value TEXT NOT NULL,
  "expiresAt" DATE NOT NULL,
  "createdAt" DATE NOT NULL,
  "updatedAt" DATE NOT NULL
);
CREATE INDEX auth_verification_by_identifier ON auth_verification (identifier);

CREATE TABLE auth_two_factor (
  id TEXT NOT NULL PRIMARY KEY,
  secret TEXT NOT NULL,
  "backupCodes" TEXT NOT NULL,
  "userId" TEXT NOT NULL,
  verified BOOLEAN,
  "failedVerificationCount" INTEGER,
  "lockedUntil" DATE
);
CREATE INDEX auth_two_factor_by_user ON auth_two_factor ("userId");

-- Who may do what. The library knows nothing of roles and cannot change one. project_roles is JSON: the member's role in
-- each of these projects; NULL: the same role everywhere.
CREATE TABLE member (
  user_id TEXT NOT NULL PRIMARY KEY,
  role TEXT NOT NULL,
  joined_at INTEGER NOT NULL,
  project_roles TEXT,
  active_at INTEGER
) WITHOUT ROWID;

-- Links that work once: the set-up link and invitations, which make an account, and a member's links for a new password or
-- to sign in. Only the token's hash is kept.
CREATE TABLE account_link (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  project_roles TEXT,
  user_id TEXT
) WITHOUT ROWID;

CREATE TABLE access_token (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  last_used_at INTEGER
) WITHOUT ROWID;
CREATE INDEX access_token_by_user ON access_token (user_id);

-- What may happen only so often, counted in windows that begin with the first.
CREATE TABLE counter (
  name TEXT NOT NULL PRIMARY KEY,
  count INTEGER NOT NULL,
  resets_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX counter_by_end ON counter (resets_at);
`;
