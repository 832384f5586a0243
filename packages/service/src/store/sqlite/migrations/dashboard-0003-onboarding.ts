import type { Migration } from '../../migration.ts';

/** What a project has done for the first time, where nothing else remembers it. */
export const onboarding: Migration = {
  number: 3,
  name: 'onboarding',
  sql: `
CREATE TABLE onboarding_step (
  project_id TEXT NOT NULL,
  step TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (project_id, step)
) WITHOUT ROWID;
`,
};
