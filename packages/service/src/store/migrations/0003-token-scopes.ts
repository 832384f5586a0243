import type { Migration } from '../migration.ts';

export const tokenScopes: Migration = {
  number: 3,
  name: 'token scopes',
  sql: `
-- What a token may do of what its member may: scope is full, or read. only_project: in that project only; NULL: in all.
ALTER TABLE access_token ADD COLUMN scope TEXT NOT NULL DEFAULT 'full';
ALTER TABLE access_token ADD COLUMN only_project TEXT;
`,
};
