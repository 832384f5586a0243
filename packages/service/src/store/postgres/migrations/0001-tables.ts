import type { Migration } from '../../migration.ts';
import { accountTables } from '../../migrations/account-tables.ts';
import { inDialect } from '../../migrations/dialect.ts';
import { eventTables } from '../../migrations/event-tables.ts';
import { requestTables } from '../../migrations/request-tables.ts';
import { ALL_EVENTS } from '../../tables/webhook-table.ts';

/**
 * Rows that are rewritten all the time leave room on their page, so that a new version stays there and no index is
 * touched.
 */
const FILL = {
  api_key: 80,
  rate_bucket: 50,
  quota: 20,
  device: 80,
  device_sighting: 80,
  inbox: 80,
  idempotent_answer: 80,
  statistics: 70,
} as const;

export const tables: Migration = {
  number: 1,
  name: 'tables',
  sql: `${inDialect('postgres', requestTables('postgres') + accountTables + eventTables)}
${Object.entries(FILL)
  .map(([table, percent]) => `ALTER TABLE ${table} SET (fillfactor = ${percent});`)
  .join('\n')}

-- The rows live for seconds, so compressing their lines would cost more than it saves.
ALTER TABLE statistics_change ALTER COLUMN lines SET STORAGE EXTERNAL;

-- Which batches were settled. A batch whose answer was lost is looked up here, and kept from being settled late.
CREATE TABLE settled_batch (
  project_id TEXT COLLATE "C" NOT NULL,
  batch TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (project_id, batch)
);
CREATE INDEX settled_batch_by_age ON settled_batch (project_id, at);

-- An event is written with the validation that it tells of, by whoever writes the log: no writer can forget it.
CREATE FUNCTION postern_validations_to_webhooks_1() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO delivery (project_id, id, webhook_id, event_id, type, log_id, state, attempts, next_at)
  SELECT n.project_id, n.id || '-' || w.id, w.id, n.id,
    CASE n.recommendation WHEN 'flag' THEN 'validation.flagged' ELSE 'validation.blocked' END,
    n.id, 'pending', 0, 0
  FROM new_rows n JOIN webhook w ON w.project_id = n.project_id
  WHERE n.recommendation <> 'allow' AND n.mode = 'live' AND w.disabled_at IS NULL
    AND (w.events = '${ALL_EVENTS}' OR strpos(w.events,
      CASE n.recommendation WHEN 'flag' THEN ' validation.flagged ' ELSE ' validation.blocked ' END) > 0);
  RETURN NULL;
END $$;
CREATE TRIGGER validations_to_webhooks AFTER INSERT ON validation_log
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION postern_validations_to_webhooks_1();
`,
};
