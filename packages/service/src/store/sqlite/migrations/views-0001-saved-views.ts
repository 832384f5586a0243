import type { Migration } from '../../migration.ts';

/** The log’s filters that a member saved under a name, for one project. */
export const savedViews: Migration = {
  number: 1,
  name: 'saved-views',
  sql: `
CREATE TABLE saved_view (
  project_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  filters TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, member_id, id)
) WITHOUT ROWID;
`,
};
