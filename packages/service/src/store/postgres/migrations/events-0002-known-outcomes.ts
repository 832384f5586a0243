import type { Migration } from '../../migration.ts';

/** Finds the people whose outcome is known among many who only signed up. Requests do not write this table. */
export const knownOutcomes: Migration = {
  number: 2,
  name: 'known-outcomes',
  compatibleFrom: 1,
  sql: `
CREATE INDEX outcome_known ON outcome (project_id, seen_at) WHERE verdict IS NOT NULL;
`,
};
