import type { Migration } from '../../migration.ts';

/**
 * Every table that a request touches has a key that begins with the project, so that the same tables can be
 * spread over machines by project. Times are milliseconds since 1970; JSON is kept as text.
 */
export const firstTables: Migration = {
  number: 1,
  name: 'first-tables',
  sql: `
CREATE TABLE project (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  allowed_domains TEXT NOT NULL,
  plan TEXT NOT NULL,
  quota_limit INTEGER,
  rate_client INTEGER NOT NULL,
  rate_server INTEGER NOT NULL,
  policy TEXT NOT NULL,
  allow_list TEXT NOT NULL,
  block_list TEXT NOT NULL,
  retention_days INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  archived_at INTEGER,
  version INTEGER NOT NULL
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

-- The sliding hour: one row a second in which something was counted, and their sum.
CREATE TABLE rate_bucket (
  project_id TEXT NOT NULL,
  lane TEXT NOT NULL,
  second INTEGER NOT NULL,
  count INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, lane, second)
) WITHOUT ROWID;

CREATE TABLE rate_total (
  project_id TEXT NOT NULL,
  lane TEXT NOT NULL,
  total INTEGER NOT NULL,
  latest_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, lane)
) WITHOUT ROWID;

CREATE TABLE quota (
  project_id TEXT NOT NULL,
  month TEXT NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (project_id, month)
) WITHOUT ROWID;

-- A device and what it brought. While that is little it stands in the row itself, as JSON: a request then
-- reads and writes one row. Later both lists are NULL, the rows are in device_sighting and device_network, and
-- the counts here save counting them. Nothing of the device was last seen before oldest_seen.
CREATE TABLE device (
  project_id TEXT NOT NULL,
  device TEXT NOT NULL,
  inboxes INTEGER NOT NULL,
  networks INTEGER NOT NULL,
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  oldest_seen INTEGER NOT NULL,
  inbox_list TEXT,
  network_list TEXT,
  PRIMARY KEY (project_id, device)
) WITHOUT ROWID;
CREATE INDEX device_by_age ON device (project_id, oldest_seen);

CREATE TABLE device_sighting (
  project_id TEXT NOT NULL,
  device TEXT NOT NULL,
  inbox TEXT NOT NULL,
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (project_id, device, inbox)
) WITHOUT ROWID;
CREATE INDEX device_sighting_by_age ON device_sighting (project_id, device, last_seen);

CREATE TABLE device_network (
  project_id TEXT NOT NULL,
  device TEXT NOT NULL,
  network TEXT NOT NULL,
  last_seen INTEGER NOT NULL,
  PRIMARY KEY (project_id, device, network)
) WITHOUT ROWID;
CREATE INDEX device_network_by_age ON device_network (project_id, device, last_seen);

-- Whether an inbox was seen under another spelling needs only the two spellings seen last. devices are the
-- last few that brought it. kept_since is no later than last_seen and changes only when the sweep looks.
CREATE TABLE inbox (
  project_id TEXT NOT NULL,
  inbox TEXT NOT NULL,
  spelling TEXT NOT NULL,
  last_seen INTEGER NOT NULL,
  other_spelling TEXT,
  other_seen INTEGER,
  kept_since INTEGER NOT NULL,
  devices TEXT NOT NULL,
  PRIMARY KEY (project_id, inbox)
) WITHOUT ROWID;
CREATE INDEX inbox_by_age ON inbox (project_id, kept_since);

CREATE TABLE usage_hour (
  project_id TEXT NOT NULL,
  hour INTEGER NOT NULL,
  kind TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (project_id, hour, kind)
) WITHOUT ROWID;

-- IDs begin with the time, so the key is also the order of the pages. marks holds what a page can be
-- filtered by, as words; facts what is only shown. The rows are too long for a table without row IDs, which
-- would give most of them a page of their own.
CREATE TABLE validation_log (
  project_id TEXT NOT NULL,
  id TEXT NOT NULL,
  recommendation TEXT NOT NULL,
  marks TEXT NOT NULL,
  history TEXT NOT NULL,
  facts TEXT NOT NULL,
  PRIMARY KEY (project_id, id)
);

CREATE TABLE log_total (
  project_id TEXT NOT NULL PRIMARY KEY,
  rows INTEGER NOT NULL
) WITHOUT ROWID;

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

CREATE TABLE audit (
  id TEXT NOT NULL PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  project_id TEXT,
  detail TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX audit_by_time ON audit (at);
CREATE INDEX audit_by_project ON audit (project_id, at);
`,
};
