import type { Migration } from '../../migration.ts';

/** Outcomes, the review queue and webhooks. Requests write none of these tables by themselves. */
export const outcomesAndEvents: Migration = {
  number: 1,
  name: 'outcomes-and-events',
  sql: `
-- Finds a log row by its request ID, with which facts begin: {"requestId":"...
CREATE INDEX log_by_request ON validation_log (project_id, substr(facts, 15, 37));

-- What a member decided about a flagged validation, as JSON; NULL while it waits in the review queue.
ALTER TABLE validation_log ADD COLUMN review TEXT;
CREATE INDEX log_in_review ON validation_log (project_id, id) WHERE recommendation = 'flag' AND review IS NULL;

-- Who is looking at which row of the queue, so that two members do not decide the same row unknowingly.
CREATE TABLE review_look (
  project_id TEXT NOT NULL,
  log_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (project_id, log_id, member_id)
) WITHOUT ROWID;

-- What became of a person. seen_at is the time of the newest log row: the outcome is kept as long as that row.
CREATE TABLE outcome (
  project_id TEXT NOT NULL,
  inbox TEXT NOT NULL,
  accepted_at INTEGER,
  verdict TEXT,
  reason TEXT,
  decided_at INTEGER,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, inbox)
) WITHOUT ROWID;
CREATE INDEX outcome_by_age ON outcome (project_id, seen_at);

-- Where events are sent. events holds names between spaces. After a rotation the previous secret signs too,
-- until previous_until.
CREATE TABLE webhook (
  project_id TEXT NOT NULL,
  id TEXT NOT NULL,
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  format TEXT NOT NULL,
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_until INTEGER,
  created_at INTEGER NOT NULL,
  failing_since INTEGER,
  disabled_at INTEGER,
  PRIMARY KEY (project_id, id)
) WITHOUT ROWID;

-- Events that are not about one validation, or say more about it than its log row. The dashboard shows them.
-- id says what happened, so that the same thing is told once; sort_id begins with the time.
CREATE TABLE event (
  project_id TEXT NOT NULL,
  id TEXT NOT NULL,
  sort_id TEXT NOT NULL,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  log_id TEXT,
  data TEXT NOT NULL,
  PRIMARY KEY (project_id, id)
) WITHOUT ROWID;
CREATE INDEX event_by_time ON event (project_id, at);

-- The outbox: one row for each event and webhook. Its ID begins with the time. event_id is the ID of an event,
-- or of a log row.
CREATE TABLE delivery (
  project_id TEXT NOT NULL,
  id TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  log_id TEXT,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  lease TEXT,
  lease_until INTEGER,
  status INTEGER,
  error TEXT,
  duration_ms INTEGER,
  done_at INTEGER,
  PRIMARY KEY (project_id, id)
) WITHOUT ROWID;
CREATE INDEX delivery_due ON delivery (next_at) WHERE state = 'pending';
CREATE INDEX delivery_by_webhook ON delivery (project_id, webhook_id, id);
CREATE INDEX delivery_by_log ON delivery (project_id, log_id) WHERE log_id IS NOT NULL;

-- An event is written with the validation that it tells of, by whoever writes the log: no writer can forget it.
CREATE TRIGGER validation_to_webhooks AFTER INSERT ON validation_log
WHEN NEW.recommendation <> 'allow' AND instr(NEW.marks, ' mode:test ') = 0
BEGIN
  INSERT INTO delivery (project_id, id, webhook_id, event_id, type, log_id, state, attempts, next_at)
  SELECT NEW.project_id, NEW.id || '-' || w.id, w.id, NEW.id,
    CASE NEW.recommendation WHEN 'flag' THEN 'validation.flagged' ELSE 'validation.blocked' END,
    NEW.id, 'pending', 0, 0
  FROM webhook w WHERE w.project_id = NEW.project_id AND w.disabled_at IS NULL AND instr(w.events,
    CASE NEW.recommendation WHEN 'flag' THEN ' validation.flagged ' ELSE ' validation.blocked ' END) > 0;
END;
`,
};
