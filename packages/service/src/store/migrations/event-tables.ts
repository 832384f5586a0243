/** Outcomes, the review queue and webhooks. Requests write only the outbox of them. */
export const eventTables = `
-- A row of the review queue that a member left to the others until some time.
CREATE TABLE review_pass (
  project_id TEXT NOT NULL,
  log_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (project_id, log_id, member_id)
) WITHOUT ROWID;
CREATE INDEX review_pass_by_end ON review_pass (project_id, until);

-- A person whose log rows are gone, kept as long as an outcome about the person counts: the validation with the mildest
-- answer (its place in ACTIONS), of equal ones the newest. It has no address, network or device. answer and what follows
-- are NULL while the log still has the person's rows.
CREATE TABLE person (
  project_id TEXT NOT NULL,
  inbox TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  at INTEGER,
  answer INTEGER,
  words TEXT,
  rules TEXT,
  lists TEXT,
  history TEXT,
  checks TEXT,
  PRIMARY KEY (project_id, inbox)
) WITHOUT ROWID;
CREATE INDEX person_by_age ON person (project_id, seen_at);

-- The request IDs of log rows that are gone, so that an outcome can still name one.
CREATE TABLE person_request (
  project_id TEXT NOT NULL,
  request_id TEXT NOT NULL,
  inbox TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (project_id, inbox, request_id)
) WITHOUT ROWID;
CREATE INDEX person_by_request ON person_request (project_id, request_id);
CREATE INDEX person_request_by_age ON person_request (project_id, at);

-- What became of a person. seen_at is the time at which the person was last seen then.
CREATE TABLE outcome (
  project_id TEXT NOT NULL,
  inbox TEXT NOT NULL,
  accepted_at INTEGER,
  judgement TEXT,
  reason TEXT,
  decided_at INTEGER,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, inbox)
) WITHOUT ROWID;
CREATE INDEX outcome_by_age ON outcome (project_id, seen_at);
-- Finds the people whose outcome is known among many who only signed up.
CREATE INDEX outcome_known ON outcome (project_id, seen_at) WHERE judgement IS NOT NULL;

-- What each person gets once: claims that were granted (granted is 1) or refused. Hashes only; masked_address is shown.
-- because is JSON. since: when the grant was made that this is, or that stands in the way.
CREATE TABLE claim (
  project_id TEXT NOT NULL,
  id TEXT NOT NULL,
  claim TEXT NOT NULL,
  at INTEGER NOT NULL,
  granted INTEGER NOT NULL,
  inbox TEXT NOT NULL,
  masked_address TEXT NOT NULL,
  claimant TEXT,
  key_hash TEXT,
  because TEXT NOT NULL,
  since INTEGER NOT NULL,
  released_at INTEGER,
  PRIMARY KEY (project_id, id)
) WITHOUT ROWID;
CREATE INDEX claim_by_age ON claim (project_id, at);
CREATE INDEX claim_by_person ON claim (project_id, inbox, id);
CREATE INDEX claim_by_claimant ON claim (project_id, claimant);
CREATE INDEX claim_by_key ON claim (project_id, key_hash);

-- What a granted claim holds: 'inbox:', 'device:', 'trace:' with a kind, or 'claimant:', and a hash. The key makes each of
-- them hold a claim once.
CREATE TABLE claim_handle (
  project_id TEXT NOT NULL,
  claim TEXT NOT NULL,
  handle TEXT NOT NULL,
  claim_id TEXT NOT NULL,
  inbox TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (project_id, handle, claim)
) WITHOUT ROWID;
CREATE INDEX claim_handle_by_age ON claim_handle (project_id, at);
CREATE INDEX claim_handle_by_claim ON claim_handle (project_id, claim_id);
-- Has all columns, or SQLite would read all handles of the project.
CREATE INDEX claim_handle_by_person ON claim_handle (project_id, inbox, claim, handle, claim_id, at);

-- What a flag asked of a person. id is a keyed hash, and sealed can only be opened with the ID itself, which the caller
-- has. sealed is what the second verdict will say; NULL once it is passed.
CREATE TABLE challenge (
  project_id TEXT NOT NULL,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  mode TEXT NOT NULL,
  key_type TEXT NOT NULL,
  inbox TEXT NOT NULL,
  log_id TEXT NOT NULL,
  sealed TEXT,
  tries INTEGER NOT NULL,
  passed_at INTEGER,
  PRIMARY KEY (project_id, id)
) WITHOUT ROWID;
CREATE INDEX challenge_by_age ON challenge (project_id, at);
CREATE INDEX challenge_by_person ON challenge (project_id, inbox, id);
CREATE INDEX challenge_by_row ON challenge (project_id, log_id, id);

-- The account at a CAPTCHA vendor. sealed is its secret, encrypted with the installation's own. away: flag or allow.
CREATE TABLE step_up_vendor (
  project_id TEXT PRIMARY KEY,
  vendor TEXT NOT NULL,
  site_key TEXT NOT NULL,
  sealed TEXT NOT NULL,
  away TEXT NOT NULL
) WITHOUT ROWID;

-- Notes about a subject, and what members decided about it. subject is 'person:' or 'device:' with a hash, a domain,
-- a range of addresses or an AS number. The ID begins with the time.
CREATE TABLE timeline_entry (
  project_id TEXT NOT NULL,
  subject TEXT NOT NULL,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (project_id, subject, id)
) WITHOUT ROWID;
-- Of people and devices only, which are forgotten after a time.
CREATE INDEX timeline_by_age ON timeline_entry (project_id, at)
  WHERE substr(subject, 1, 7) IN ('person:', 'device:');

-- Where events are sent. events holds names between spaces, or a star for all. After a rotation the previous secret signs too,
-- until previous_until.
CREATE TABLE webhook (
  project_id TEXT NOT NULL,
  id TEXT NOT NULL,
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  format TEXT NOT NULL,
  filter TEXT NOT NULL DEFAULT '{}',
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_until INTEGER,
  created_at INTEGER NOT NULL,
  failing_since INTEGER,
  disabled_at INTEGER,
  PRIMARY KEY (project_id, id)
) WITHOUT ROWID;

-- Events that are not about one validation, or say more about it than its log row. The dashboard shows them.
-- id says what happened, so that the same thing is reported once; sort_id begins with the time.
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

-- People who belong together. since, last_seen: when the first and the newest came. things, spread and decisions are JSON;
-- bad_at: when members marked its people as bad. merged_into: the older campaign that it turned out to be.
CREATE TABLE campaign (
  project_id TEXT NOT NULL,
  id TEXT NOT NULL,
  since INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  things TEXT NOT NULL,
  spread TEXT NOT NULL,
  acknowledged_at INTEGER,
  acknowledged_by TEXT,
  decisions TEXT NOT NULL,
  bad_at INTEGER,
  merged_into TEXT,
  PRIMARY KEY (project_id, id)
);
CREATE INDEX campaign_by_time ON campaign (project_id, last_seen);

-- Who belongs to a campaign: at most one each. answer is the mildest; because is JSON.
CREATE TABLE campaign_person (
  project_id TEXT NOT NULL,
  inbox TEXT NOT NULL,
  campaign_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  answer TEXT NOT NULL,
  because TEXT NOT NULL,
  PRIMARY KEY (project_id, inbox)
) WITHOUT ROWID;
CREATE INDEX campaign_person_by_campaign ON campaign_person (project_id, campaign_id, at, inbox, answer);
CREATE INDEX campaign_person_by_age ON campaign_person (project_id, last_seen);

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

-- What a project has done for the first time, where nothing else remembers it.
CREATE TABLE onboarding_step (
  project_id TEXT NOT NULL,
  step TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (project_id, step)
) WITHOUT ROWID;
`;
