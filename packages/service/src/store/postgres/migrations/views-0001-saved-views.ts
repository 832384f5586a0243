import type { Migration } from '../../migration.ts';

/** The log’s filters that a member saved under a name, for one project. */
export const savedViews: Migration = {
  number: 1,
  name: 'saved-views',
  sql: `
CREATE TABLE saved_view (
  project_id TEXT COLLATE "C" NOT NULL,
  member_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  filters TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (project_id, member_id, id)
);
`,
};
