import type { Migration } from '../../migration.ts';

/**
 * Limits against strangers who use a public client key, and the answers to requests with an `Idempotency-Key`.
 *
 * A visitor’s sliding hour stands in rate_bucket and rate_total under a lane of its own. Of an idempotent request
 * only hashes are kept, and its answer encrypted with a key that only the caller can derive. `answer` is NULL while
 * the request is under way; the claim on it ends at `claimed_until`.
 */
export const limits: Migration = {
  number: 3,
  name: 'limits',
  sql: `
ALTER TABLE project ADD COLUMN visitor_rate INTEGER NOT NULL DEFAULT 120;
ALTER TABLE project ADD COLUMN server_reserve INTEGER NOT NULL DEFAULT 0;

CREATE TABLE idempotent_answer (
  project_id TEXT NOT NULL,
  key_hash TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  token TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  claimed_until INTEGER NOT NULL,
  answer TEXT,
  PRIMARY KEY (project_id, key_hash)
) WITHOUT ROWID;
CREATE INDEX idempotent_answer_by_age ON idempotent_answer (project_id, created_at);
`,
};
