import type { Migration } from '../../migration.ts';

/** Roles in single projects, when a member was last active, and passkeys. */
export const access: Migration = {
  number: 2,
  name: 'access',
  sql: `
-- JSON: the member's role in each of these projects. NULL: the same role everywhere.
ALTER TABLE member ADD COLUMN project_roles TEXT;
ALTER TABLE account_link ADD COLUMN project_roles TEXT;

ALTER TABLE member ADD COLUMN active_at INTEGER;
-- The library knows nothing of this column.
ALTER TABLE auth_session ADD COLUMN active_at INTEGER;

CREATE TABLE auth_passkey (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT,
  "publicKey" TEXT NOT NULL,
  "userId" TEXT NOT NULL,
  "credentialID" TEXT NOT NULL UNIQUE,
  counter INTEGER NOT NULL,
  "deviceType" TEXT NOT NULL,
  "backedUp" INTEGER NOT NULL,
  transports TEXT,
  "createdAt" DATE,
  aaguid TEXT
);
CREATE INDEX auth_passkey_by_user ON auth_passkey ("userId");
`,
};
