import type { Dialect } from './dialect.ts';

/**
 * What requests read and write. The key of every table begins with the project, so that the tables can be spread over
 * machines by project. Times are milliseconds since 1970. JSON is kept as text.
 */
export function requestTables(dialect: Dialect): string {
  return `
CREATE TABLE project (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  allowed_domains TEXT NOT NULL,
  plan TEXT NOT NULL,
  quota_limit INTEGER,
  rate_client INTEGER NOT NULL,
  rate_server INTEGER NOT NULL,
  visitor_rate INTEGER NOT NULL,
  server_reserve INTEGER NOT NULL,
  policy TEXT NOT NULL,
  allow_list TEXT NOT NULL,
  block_list TEXT NOT NULL,
  rules TEXT NOT NULL DEFAULT '[]',
  named_lists TEXT NOT NULL DEFAULT '{}',
  retention_days INTEGER NOT NULL,
  log_retention_days INTEGER,
  created_at INTEGER NOT NULL,
  archived_at INTEGER,
  version INTEGER NOT NULL
) WITHOUT ROWID;

-- Every version of a project's policy and rules, both as JSON, with who saved it and why. Written with the project.
CREATE TABLE policy_version (
  project_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT,
  policy TEXT NOT NULL,
  rules TEXT NOT NULL,
  PRIMARY KEY (project_id, number)
) WITHOUT ROWID;

CREATE TABLE api_key (
  project_id TEXT NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  mode TEXT NOT NULL,
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  hint TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER,
  version INTEGER NOT NULL,
  PRIMARY KEY (project_id, id)
) WITHOUT ROWID;

-- Where a key lives: 'hash:' and its hash, or 'id:' and its ID.
CREATE TABLE key_directory (
  handle TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL,
  key_id TEXT NOT NULL
) WITHOUT ROWID;

-- The sliding hour: one row a second in which something was counted. A visitor has a lane of its own. counted is the sum of
-- the counts up to and including this row, so the newest and the oldest row tell the sum of all.
CREATE TABLE rate_bucket (
  project_id TEXT NOT NULL,
  lane TEXT NOT NULL,
  second INTEGER NOT NULL,
  count INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  counted INTEGER NOT NULL,
  PRIMARY KEY (project_id, lane, second)
) WITHOUT ROWID;

CREATE TABLE quota (
  project_id TEXT NOT NULL,
  month TEXT NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (project_id, month)
) WITHOUT ROWID;

-- Of an idempotent request only hashes are kept, and its answer encrypted with a key that only the caller can derive.
-- answer is NULL while the request is under way; the claim on it ends at claimed_until.
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
${deviceTables(dialect)}
-- Whether an inbox was seen under another spelling is answered from two spellings: the last one, and the last other one
-- that a backend confirmed, or else was seen. claimed_from is where a client key claimed it, NULL once confirmed. kept_since
-- is when it was first seen.
CREATE TABLE inbox (
  project_id TEXT NOT NULL,
  inbox TEXT NOT NULL,
  spelling TEXT NOT NULL,
  last_seen INTEGER NOT NULL,
  other_spelling TEXT,
  other_seen INTEGER,
  claimed_from TEXT,
  other_claimed_from TEXT,
  kept_since INTEGER NOT NULL,
  -- The last devices that brought it, at most MAX_DEVICES_LISTED.
  devices TEXT NOT NULL DEFAULT '[]',
  PRIMARY KEY (project_id, inbox)
) WITHOUT ROWID;
${logTables}`;
}

/**
 * At most MAX_OF_DEVICE inboxes and as many networks of each device. An inbox that was answered block every time is no
 * sign-up: blocked says so. confirmed says that a backend asked about it or accepted it, and network is the first one that
 * it came from.
 */
function deviceTables(dialect: Dialect): string {
  return dialect === 'sqlite' ? DEVICE_LISTS : DEVICE_ROWS;
}

/** In SQLite the lists stand in the device’s own row, as JSON, so that a request reads and writes one row. */
const DEVICE_LISTS = `
CREATE TABLE device (
  project_id TEXT NOT NULL,
  device TEXT NOT NULL,
  -- [[inbox, first_seen, last_seen, count, blocked, confirmed, network], ...]
  inbox_list TEXT NOT NULL DEFAULT '[]',
  -- [[network, last_seen], ...]
  network_list TEXT NOT NULL DEFAULT '[]',
  PRIMARY KEY (project_id, device)
) WITHOUT ROWID;

-- The lists as rows, for everything but requests.
CREATE VIEW device_sighting AS
SELECT d.project_id, d.device, e.value ->> 0 AS inbox, e.value ->> 1 AS first_seen, e.value ->> 2 AS last_seen,
  e.value ->> 3 AS count, e.value ->> 4 AS blocked, e.value ->> 5 AS confirmed, e.value ->> 6 AS network
FROM device d, json_each(d.inbox_list) e;

CREATE VIEW device_network AS
SELECT d.project_id, d.device, e.value ->> 0 AS network, e.value ->> 1 AS last_seen
FROM device d, json_each(d.network_list) e;
`;

/**
 * In PostgreSQL each inbox of a device has a row. The networks stand in the device’s own row. What they add up to is kept, so
 * that no request counts them. Nothing of the device was last seen before oldest_seen. Numbers come first and the short
 * ones last of them, so that none is padded.
 */
const DEVICE_ROWS = `
CREATE TABLE device (
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  oldest_seen INTEGER NOT NULL,
  inboxes SMALLINT NOT NULL,
  blocked SMALLINT NOT NULL,
  networks SMALLINT NOT NULL,
  project_id TEXT NOT NULL,
  device TEXT NOT NULL,
  -- {network: last_seen, ...}
  network_times JSONB NOT NULL DEFAULT '{}',
  PRIMARY KEY (project_id, device)
);
-- Hashes do not get shorter by compressing them.
ALTER TABLE device ALTER COLUMN network_times SET STORAGE EXTERNAL;

CREATE TABLE device_sighting (
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  count INTEGER NOT NULL,
  blocked SMALLINT NOT NULL,
  confirmed SMALLINT NOT NULL,
  project_id TEXT NOT NULL,
  device TEXT NOT NULL,
  inbox TEXT NOT NULL,
  network TEXT,
  PRIMARY KEY (project_id, device, inbox)
);

-- For everything but requests.
CREATE VIEW device_network AS
SELECT d.project_id, d.device, e.key COLLATE "C" AS network, e.value::BIGINT AS last_seen
FROM device d, jsonb_each_text(d.network_times) e;
`;

const logTables = `
-- IDs begin with the time, so the key is also the order of the pages. What is searched for has a column of its own.
-- rules, lists and words hold words between spaces: what the project's rules and lists matched, and the checks, signals
-- and other things that the statistics count. details is JSON that is only shown. review is what a member decided about
-- a flagged validation, as JSON; NULL while it waits in the review queue. The rows are too long for a table without row
-- IDs, which would give most of them a page of their own.
CREATE TABLE validation_log (
  project_id TEXT NOT NULL,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  request_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  key_id TEXT NOT NULL,
  recommendation TEXT NOT NULL,
  inbox TEXT NOT NULL,
  device TEXT,
  domain TEXT NOT NULL,
  shape TEXT,
  network TEXT,
  country TEXT,
  asn INTEGER,
  rules TEXT NOT NULL,
  lists TEXT NOT NULL,
  words TEXT NOT NULL,
  history TEXT NOT NULL,
  details TEXT NOT NULL,
  review TEXT,
  PRIMARY KEY (project_id, id)
);
CREATE INDEX log_by_request ON validation_log (project_id, request_id);
-- Has all columns by which the queue is counted, so that no row is read for it.
CREATE INDEX log_in_review ON validation_log (project_id, id, inbox, at, mode, review)
  WHERE recommendation = 'flag' AND review IS NULL;

-- Sightings whose log row is gone, until the sweep has forgotten what they left in the history. The ID is that of the log
-- row, so it begins with the time. A hash is NULL once the person or the device was erased.
CREATE TABLE past_sighting (
  project_id TEXT NOT NULL,
  id TEXT NOT NULL,
  inbox TEXT,
  device TEXT,
  PRIMARY KEY (project_id, id)
) WITHOUT ROWID;
-- Up to this ID the sweep has forgotten what the sightings left, those of the log and those that the log had.
CREATE TABLE swept_log (
  project_id TEXT NOT NULL PRIMARY KEY,
  id TEXT NOT NULL
) WITHOUT ROWID;

-- What was counted in each half hour, as JSON. The rows are too long for a table without row IDs.
CREATE TABLE statistics (
  project_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  counts TEXT NOT NULL,
  PRIMARY KEY (project_id, at)
);

-- What is not added to the half hours yet, as lines. A change is a new row each time, so that settling a request waits
-- for nobody. The ID begins with the time at which the change was made.
CREATE TABLE statistics_change (
  project_id TEXT NOT NULL,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  lines TEXT NOT NULL,
  PRIMARY KEY (project_id, id)
) WITHOUT ROWID;
`;
