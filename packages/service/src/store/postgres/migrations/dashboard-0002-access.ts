import type { Migration } from '../../migration.ts';

/** Roles in single projects, when a member was last active, and passkeys. */
export const access: Migration = {
  number: 2,
  name: 'access',
  sql: `
-- JSON: the member's role in each of these projects. NULL: the same role everywhere.
ALTER TABLE member ADD COLUMN project_roles TEXT COLLATE "C";
ALTER TABLE account_link ADD COLUMN project_roles TEXT COLLATE "C";

ALTER TABLE member ADD COLUMN active_at BIGINT;
-- The library knows nothing of this column.
ALTER TABLE auth_session ADD COLUMN active_at BIGINT;

CREATE TABLE auth_passkey (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  name TEXT COLLATE "C",
  "publicKey" TEXT COLLATE "C" NOT NULL,
  "userId" TEXT COLLATE "C" NOT NULL,
  "credentialID" TEXT COLLATE "C" NOT NULL UNIQUE,
  counter BIGINT NOT NULL,
  "deviceType" TEXT COLLATE "C" NOT NULL,
  "backedUp" BOOLEAN NOT NULL,
  transports TEXT COLLATE "C",
  "createdAt" TIMESTAMPTZ,
  aaguid TEXT COLLATE "C"
);
CREATE INDEX auth_passkey_by_user ON auth_passkey ("userId");
`,
};
