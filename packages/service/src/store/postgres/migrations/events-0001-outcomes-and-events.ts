import type { Migration } from '../../migration.ts';

/** Outcomes, the review queue and webhooks. Requests write none of these tables by themselves. */
export const outcomesAndEvents: Migration = {
  number: 1,
  name: 'outcomes-and-events',
  sql: `
-- Finds a log row by its request ID, with which facts begin: {"requestId":"...
CREATE INDEX log_by_request ON validation_log (project_id, (substr(facts, 15, 37) COLLATE "C"));

-- What a member decided about a flagged validation, as JSON; NULL while it waits in the review queue.
ALTER TABLE validation_log ADD COLUMN review TEXT;
CREATE INDEX log_in_review ON validation_log (project_id, id) WHERE recommendation = 'flag' AND review IS NULL;

-- Who is looking at which row of the queue, so that two members do not decide the same row unknowingly.
CREATE TABLE review_look (
  project_id TEXT COLLATE "C" NOT NULL,
  log_id TEXT COLLATE "C" NOT NULL,
  member_id TEXT COLLATE "C" NOT NULL,
  until BIGINT NOT NULL,
  PRIMARY KEY (project_id, log_id, member_id)
);

-- What became of a person. seen_at is the time of the newest log row: the outcome is kept as long as that row.
CREATE TABLE outcome (
  project_id TEXT COLLATE "C" NOT NULL,
  inbox TEXT COLLATE "C" NOT NULL,
  accepted_at BIGINT,
  verdict TEXT COLLATE "C",
  reason TEXT,
  decided_at BIGINT,
  seen_at BIGINT NOT NULL,
  PRIMARY KEY (project_id, inbox)
);
CREATE INDEX outcome_by_age ON outcome (project_id, seen_at);

-- Where events are sent. events holds names between spaces. After a rotation the previous secret signs too,
-- until previous_until.
CREATE TABLE webhook (
  project_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  format TEXT COLLATE "C" NOT NULL,
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_until BIGINT,
  created_at BIGINT NOT NULL,
  failing_since BIGINT,
  disabled_at BIGINT,
  PRIMARY KEY (project_id, id)
);

-- Events that are not about one validation, or say more about it than its log row. The dashboard shows them.
-- id says what happened, so that the same thing is told once; sort_id begins with the time.
CREATE TABLE event (
  project_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  sort_id TEXT COLLATE "C" NOT NULL,
  type TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  log_id TEXT COLLATE "C",
  data TEXT NOT NULL,
  PRIMARY KEY (project_id, id)
);
CREATE INDEX event_by_time ON event (project_id, at);

-- The outbox: one row for each event and webhook. Its ID begins with the time. event_id is the ID of an event,
-- or of a log row.
CREATE TABLE delivery (
  project_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  webhook_id TEXT COLLATE "C" NOT NULL,
  event_id TEXT COLLATE "C" NOT NULL,
  type TEXT COLLATE "C" NOT NULL,
  log_id TEXT COLLATE "C",
  state TEXT COLLATE "C" NOT NULL,
  attempts BIGINT NOT NULL,
  next_at BIGINT NOT NULL,
  lease TEXT COLLATE "C",
  lease_until BIGINT,
  status BIGINT,
  error TEXT,
  duration_ms BIGINT,
  done_at BIGINT,
  PRIMARY KEY (project_id, id)
);
CREATE INDEX delivery_due ON delivery (next_at) WHERE state = 'pending';
CREATE INDEX delivery_by_webhook ON delivery (project_id, webhook_id, id);
CREATE INDEX delivery_by_log ON delivery (project_id, log_id) WHERE log_id IS NOT NULL;

-- An event is written with the validation that it tells of, by whoever writes the log: no writer can forget it.
CREATE FUNCTION postern_validations_to_webhooks_1() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO delivery (project_id, id, webhook_id, event_id, type, log_id, state, attempts, next_at)
  SELECT n.project_id, n.id || '-' || w.id, w.id, n.id,
    CASE n.recommendation WHEN 'flag' THEN 'validation.flagged' ELSE 'validation.blocked' END,
    n.id, 'pending', 0, 0
  FROM new_rows n JOIN webhook w ON w.project_id = n.project_id
  WHERE n.recommendation <> 'allow' AND strpos(n.marks, ' mode:test ') = 0 AND w.disabled_at IS NULL
    AND strpos(w.events, CASE n.recommendation WHEN 'flag' THEN ' validation.flagged ' ELSE ' validation.blocked ' END) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER validations_to_webhooks AFTER INSERT ON validation_log
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION postern_validations_to_webhooks_1();
`,
};
