/**
 * What requests read and write. The key of every table begins with the project, so that the tables can be spread over
 * machines by project. Times are milliseconds since 1970. JSON is kept as text.
 */
export const requestTables = `
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
  claim_retention_days INTEGER NOT NULL DEFAULT 400,
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
  -- Of a hook: its format and its secrets, as JSON. Then hash is 'hook:' and the ID.
  hook TEXT,
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

-- The requests with an Idempotency-Key that were counted. Only hashes are kept, and the answer encrypted with a key that
-- only the caller can derive. answer is NULL until the caller was answered.
CREATE TABLE idempotent_answer (
  project_id TEXT NOT NULL,
  key_hash TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  log_row TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  answer TEXT,
  PRIMARY KEY (project_id, key_hash)
) WITHOUT ROWID;
CREATE INDEX idempotent_answer_by_age ON idempotent_answer (project_id, created_at);

-- At most MAX_OF_DEVICE inboxes of each device, as JSON: a request reads and writes one row. This table, crowd and
-- inbox have row IDs, so that new rows, and their entries in the index by age, go to the last page: otherwise each
-- new person writes two more pages.
CREATE TABLE device (
  project_id TEXT NOT NULL,
  device TEXT NOT NULL,
  -- [[inbox, first_seen, last_seen, count, blocked, confirmed, network, domain, mail, browser, marks], ...]. blocked: it
  -- was answered block every time, so it is no sign-up. confirmed: a backend asked about it or accepted it. network: the
  -- first that it came from. The rest is as in crowd.
  inboxes TEXT NOT NULL,
  -- The day, counted from 1970, on which the oldest part was last seen.
  oldest_day INTEGER NOT NULL,
  PRIMARY KEY (project_id, device)
);
CREATE INDEX device_by_age ON device (project_id, oldest_day);

-- Who was new to the project when they came with a domain, a mail host or a network, in the last 30 days: at most 200 people.
CREATE TABLE crowd (
  project_id TEXT NOT NULL,
  -- d, m or n and a keyed hash.
  thing TEXT NOT NULL,
  since INTEGER NOT NULL,
  older INTEGER NOT NULL,
  -- [[minute, inbox, network, device, domain, mail, browser, marks], ...], with the beginnings of keyed hashes.
  people TEXT NOT NULL,
  -- The day, counted from 1970, on which the first of them came.
  oldest_day INTEGER NOT NULL,
  PRIMARY KEY (project_id, thing)
);
CREATE INDEX crowd_by_age ON crowd (project_id, oldest_day);

-- How many people were new to the project on each of the last 30 days: [[day, by kind of mail, by browser], ...].
CREATE TABLE newcomers (
  project_id TEXT NOT NULL PRIMARY KEY,
  since INTEGER NOT NULL,
  campaign_at INTEGER,
  days TEXT NOT NULL
) WITHOUT ROWID;

-- Whether an inbox was seen under another spelling is answered from two spellings: the last one, and the last other one
-- that a backend confirmed, or else was seen. claimed_from is where a client key claimed it, NULL once confirmed.
CREATE TABLE inbox (
  project_id TEXT NOT NULL,
  inbox TEXT NOT NULL,
  spelling TEXT NOT NULL,
  last_seen INTEGER NOT NULL,
  other_spelling TEXT,
  other_seen INTEGER,
  claimed_from TEXT,
  other_claimed_from TEXT,
  first_seen INTEGER NOT NULL,
  -- [[device, last_seen], ...]: the devices that remember the inbox.
  devices TEXT NOT NULL,
  -- When it was counted as new to the project, and the rows of crowd that list it.
  joined_at INTEGER,
  things TEXT NOT NULL,
  oldest_day INTEGER NOT NULL,
  PRIMARY KEY (project_id, inbox)
);
CREATE INDEX inbox_by_age ON inbox (project_id, oldest_day);

-- IDs begin with the time, so the key is also the order of the pages. What is searched for has a column of its own.
-- rules, lists and words hold words between spaces: what the project's rules and lists matched, and the checks, signals
-- and other things that the statistics count. history, checks and details are JSON; details is only shown. review is what a member decided about
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
  checks TEXT NOT NULL,
  details TEXT NOT NULL,
  review TEXT,
  -- How a flagged person was allowed after all, such as 'code'.
  stepped_up TEXT,
  PRIMARY KEY (project_id, id)
);
CREATE INDEX log_by_request ON validation_log (project_id, request_id);
CREATE INDEX log_by_person ON validation_log (project_id, inbox, id);
-- Has all columns by which the queue is counted, so that no row is read for it.
CREATE INDEX log_in_review ON validation_log (project_id, id, inbox, at, mode, review)
  WHERE recommendation = 'flag' AND review IS NULL AND stepped_up IS NULL;

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
