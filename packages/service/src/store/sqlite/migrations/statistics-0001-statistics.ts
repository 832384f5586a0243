import type { Migration } from '../../migration.ts';
import { fillFromLog } from '../../statistics/fill-from-log.ts';

/**
 * Statistics for each half hour, as JSON, and the changes that are not added to it yet, as lines. The statistics begin
 * with what the log and the older counts hold.
 */
export const statistics: Migration = {
  number: 1,
  name: 'statistics',
  sql: `
-- The rows are too long for a table without row IDs.
CREATE TABLE statistics (
  project_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  counts TEXT NOT NULL,
  PRIMARY KEY (project_id, at)
);

-- The ID begins with the time at which the change was made.
CREATE TABLE statistics_change (
  project_id TEXT NOT NULL,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  lines TEXT NOT NULL,
  PRIMARY KEY (project_id, id)
) WITHOUT ROWID;
${fillFromLog('sqlite').join(';\n')};
`,
};
