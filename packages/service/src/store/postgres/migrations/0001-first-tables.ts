import type { Migration } from '../../migration.ts';

/**
 * Every table that a request touches has a key that begins with the project, so that the tables can be spread
 * over machines by it. Times are milliseconds since 1970; JSON is kept as text, as in the embedded store. Keys
 * compare byte by byte. Rows that are rewritten all the time leave room on their page, so that a new version
 * stays there and no index is touched.
 */
export const firstTables: Migration = {
  number: 1,
  name: 'first-tables',
  sql: `
CREATE TABLE project (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  name TEXT COLLATE "C" NOT NULL,
  allowed_domains TEXT COLLATE "C" NOT NULL,
  plan TEXT COLLATE "C" NOT NULL,
  quota_limit BIGINT,
  rate_client BIGINT NOT NULL,
  rate_server BIGINT NOT NULL,
  policy TEXT COLLATE "C" NOT NULL,
  allow_list TEXT COLLATE "C" NOT NULL,
  block_list TEXT COLLATE "C" NOT NULL,
  retention_days BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  archived_at BIGINT,
  version BIGINT NOT NULL
);

CREATE TABLE api_key (
  project_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  type TEXT COLLATE "C" NOT NULL,
  mode TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  hash TEXT COLLATE "C" NOT NULL,
  hint TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  revoked_at BIGINT,
  last_used_at BIGINT,
  version BIGINT NOT NULL,
  PRIMARY KEY (project_id, id)
) WITH (fillfactor = 80);

-- Where a key lives: 'hash:' and its hash, or 'id:' and its ID.
CREATE TABLE key_directory (
  handle TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  project_id TEXT COLLATE "C" NOT NULL,
  key_id TEXT COLLATE "C" NOT NULL
);

-- The sliding hour: one row a second in which something was counted, and their sum.
CREATE TABLE rate_bucket (
  project_id TEXT COLLATE "C" NOT NULL,
  lane TEXT COLLATE "C" NOT NULL,
  second BIGINT NOT NULL,
  count BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  PRIMARY KEY (project_id, lane, second)
) WITH (fillfactor = 50);

CREATE TABLE rate_total (
  project_id TEXT COLLATE "C" NOT NULL,
  lane TEXT COLLATE "C" NOT NULL,
  total BIGINT NOT NULL,
  latest_at BIGINT NOT NULL,
  PRIMARY KEY (project_id, lane)
) WITH (fillfactor = 20);

CREATE TABLE quota (
  project_id TEXT COLLATE "C" NOT NULL,
  month TEXT COLLATE "C" NOT NULL,
  used BIGINT NOT NULL,
  PRIMARY KEY (project_id, month)
) WITH (fillfactor = 20);

-- What the sightings of a device add up to, so that no request counts them. Nothing of the device was last seen
-- before oldest_seen.
CREATE TABLE device (
  project_id TEXT COLLATE "C" NOT NULL,
  device TEXT COLLATE "C" NOT NULL,
  inboxes BIGINT NOT NULL,
  networks BIGINT NOT NULL,
  first_seen BIGINT NOT NULL,
  last_seen BIGINT NOT NULL,
  oldest_seen BIGINT NOT NULL,
  PRIMARY KEY (project_id, device)
) WITH (fillfactor = 80);
CREATE INDEX device_by_age ON device (project_id, oldest_seen);

CREATE TABLE device_sighting (
  project_id TEXT COLLATE "C" NOT NULL,
  device TEXT COLLATE "C" NOT NULL,
  inbox TEXT COLLATE "C" NOT NULL,
  first_seen BIGINT NOT NULL,
  last_seen BIGINT NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (project_id, device, inbox)
) WITH (fillfactor = 80);
CREATE INDEX device_sighting_by_inbox ON device_sighting (project_id, inbox);

CREATE TABLE device_network (
  project_id TEXT COLLATE "C" NOT NULL,
  device TEXT COLLATE "C" NOT NULL,
  network TEXT COLLATE "C" NOT NULL,
  last_seen BIGINT NOT NULL,
  PRIMARY KEY (project_id, device, network)
) WITH (fillfactor = 80);

-- Whether an inbox was seen under another spelling needs only the two spellings seen last. kept_since is no later than last_seen and changes only when the sweep looks.
CREATE TABLE inbox (
  project_id TEXT COLLATE "C" NOT NULL,
  inbox TEXT COLLATE "C" NOT NULL,
  spelling TEXT COLLATE "C" NOT NULL,
  last_seen BIGINT NOT NULL,
  other_spelling TEXT COLLATE "C",
  other_seen BIGINT,
  kept_since BIGINT NOT NULL,
  PRIMARY KEY (project_id, inbox)
) WITH (fillfactor = 80);
CREATE INDEX inbox_by_age ON inbox (project_id, kept_since);

CREATE TABLE usage_hour (
  project_id TEXT COLLATE "C" NOT NULL,
  hour BIGINT NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (project_id, hour, kind)
) WITH (fillfactor = 50);

-- IDs begin with the time, so the key is also the order of the pages. marks holds what a page can be
-- filtered by, as words; facts what is only shown.
CREATE TABLE validation_log (
  project_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  recommendation TEXT COLLATE "C" NOT NULL,
  marks TEXT COLLATE "C" NOT NULL,
  history TEXT COLLATE "C" NOT NULL,
  facts TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (project_id, id)
);

CREATE TABLE log_total (
  project_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  rows BIGINT NOT NULL
) WITH (fillfactor = 20);

CREATE TABLE secret (
  name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  value TEXT COLLATE "C" NOT NULL
);

CREATE TABLE signing_key (
  kid TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  private_key TEXT COLLATE "C" NOT NULL,
  public_key TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  retired_at BIGINT
);

CREATE TABLE audit (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  at BIGINT NOT NULL,
  actor TEXT COLLATE "C" NOT NULL,
  action TEXT COLLATE "C" NOT NULL,
  project_id TEXT COLLATE "C",
  detail TEXT COLLATE "C" NOT NULL
);
CREATE INDEX audit_by_time ON audit (at);
CREATE INDEX audit_by_project ON audit (project_id, at);

-- Which batches were settled. A batch whose answer was lost is looked up here, and kept from being settled late.
CREATE TABLE settled_batch (
  project_id TEXT COLLATE "C" NOT NULL,
  batch TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  month TEXT COLLATE "C" NOT NULL,
  consumed BIGINT NOT NULL,
  PRIMARY KEY (project_id, batch)
);
CREATE INDEX settled_batch_by_age ON settled_batch (project_id, at);
`,
};
