import type { Migration } from '../../migration.ts';

/** What a project has done for the first time, where nothing else remembers it. */
export const onboarding: Migration = {
  number: 3,
  name: 'onboarding',
  sql: `
CREATE TABLE onboarding_step (
  project_id TEXT COLLATE "C" NOT NULL,
  step TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (project_id, step)
);
`,
};
