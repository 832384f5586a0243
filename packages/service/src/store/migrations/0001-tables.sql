-- The tables of both stores, in SQLite's words; dialect.ts translates them for PostgreSQL. Times are milliseconds since 1970.
-- JSON is kept as text.

-- What requests read and write. The key of every table begins with the project, so that the tables can be spread over
-- machines by project.

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

-- Secrets, the audit log and the dashboard's members. They belong to the whole store.

CREATE TABLE secret (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE signing_key (
  kid TEXT NOT NULL PRIMARY KEY,
  private_key TEXT NOT NULL,
  public_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  retired_at INTEGER
) WITHOUT ROWID;

-- The SDK files that this and earlier builds handed out. A name has content or points to a name that has.
CREATE TABLE sdk_file (
  name TEXT NOT NULL PRIMARY KEY,
  content TEXT,
  target TEXT,
  seen_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE audit (
  id TEXT NOT NULL PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  project_id TEXT,
  detail TEXT NOT NULL,
  seq INTEGER,
  hash TEXT
) WITHOUT ROWID;
-- The chain: each place exists once, and the rows that have none yet are few.
CREATE UNIQUE INDEX audit_chain ON audit (seq);
CREATE INDEX audit_by_time ON audit (at);
CREATE INDEX audit_by_project ON audit (project_id, at);

-- The sign-in library's tables, with its own column names. Their times are filled in when this code makes an account.
CREATE TABLE auth_user (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  "emailVerified" BOOLEAN NOT NULL,
  image TEXT,
  "createdAt" DATE NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  "updatedAt" DATE NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  "twoFactorEnabled" BOOLEAN
);

-- The library knows nothing of active_at. company: it began with the company's sign-in.
CREATE TABLE auth_session (
  id TEXT NOT NULL PRIMARY KEY,
  "expiresAt" DATE NOT NULL,
  token TEXT NOT NULL UNIQUE,
  "createdAt" DATE NOT NULL,
  "updatedAt" DATE NOT NULL,
  "ipAddress" TEXT,
  "userAgent" TEXT,
  "userId" TEXT NOT NULL,
  active_at INTEGER,
  company BOOLEAN
);
CREATE INDEX auth_session_by_user ON auth_session ("userId");

CREATE TABLE auth_account (
  id TEXT NOT NULL PRIMARY KEY,
  "accountId" TEXT NOT NULL,
  "providerId" TEXT NOT NULL,
  "userId" TEXT NOT NULL,
  "accessToken" TEXT,
  "refreshToken" TEXT,
  "idToken" TEXT,
  "accessTokenExpiresAt" DATE,
  "refreshTokenExpiresAt" DATE,
  scope TEXT,
  password TEXT,
  "createdAt" DATE NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  "updatedAt" DATE NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
);
CREATE INDEX auth_account_by_user ON auth_account ("userId");

CREATE TABLE auth_verification (
  id TEXT NOT NULL PRIMARY KEY,
  identifier TEXT NOT NULL,
  value TEXT NOT NULL,
  "expiresAt" DATE NOT NULL,
  "createdAt" DATE NOT NULL,
  "updatedAt" DATE NOT NULL
);
CREATE INDEX auth_verification_by_identifier ON auth_verification (identifier);

CREATE TABLE auth_two_factor (
  id TEXT NOT NULL PRIMARY KEY,
  secret TEXT NOT NULL,
  "backupCodes" TEXT NOT NULL,
  "userId" TEXT NOT NULL,
  verified BOOLEAN,
  "failedVerificationCount" INTEGER,
  "lockedUntil" DATE
);
CREATE INDEX auth_two_factor_by_user ON auth_two_factor ("userId");

-- Who may do what. The library knows nothing of roles and cannot change one. project_roles is JSON: the member's role in
-- each of these projects; NULL: the same role everywhere.
CREATE TABLE member (
  user_id TEXT NOT NULL PRIMARY KEY,
  role TEXT NOT NULL,
  joined_at INTEGER NOT NULL,
  project_roles TEXT,
  active_at INTEGER
) WITHOUT ROWID;

-- Links that work once: the set-up link and invitations, which make an account, and a member's links for a new password or
-- to sign in. Only the token's hash is kept.
CREATE TABLE account_link (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  project_roles TEXT,
  user_id TEXT
) WITHOUT ROWID;

-- What a token may do of what its member may: scope is full, or read. only_project: in that project only; NULL: in all.
CREATE TABLE access_token (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  last_used_at INTEGER,
  scope TEXT NOT NULL DEFAULT 'full',
  only_project TEXT
) WITHOUT ROWID;
CREATE INDEX access_token_by_user ON access_token (user_id);

-- What may happen only so often, counted in windows that begin with the first.
CREATE TABLE counter (
  name TEXT NOT NULL PRIMARY KEY,
  count INTEGER NOT NULL,
  resets_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX counter_by_end ON counter (resets_at);

-- Outcomes, the review queue and webhooks. Requests write only the outbox of them.

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
  -- What people call it.
  name TEXT,
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
-- Has the state, because deliveries are counted by how they ended.
CREATE INDEX delivery_by_webhook ON delivery (project_id, webhook_id, id, state);
CREATE INDEX delivery_by_log ON delivery (project_id, log_id) WHERE log_id IS NOT NULL;

-- What a project has done for the first time, where nothing else remembers it.
CREATE TABLE onboarding_step (
  project_id TEXT NOT NULL,
  step TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (project_id, step)
) WITHOUT ROWID;
