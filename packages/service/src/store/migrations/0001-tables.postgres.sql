-- What only PostgreSQL has.

-- Rows that are rewritten all the time leave room on their page, so that a new version stays there and no index is touched.
ALTER TABLE api_key SET (fillfactor = 80);
ALTER TABLE rate_bucket SET (fillfactor = 50);
ALTER TABLE quota SET (fillfactor = 20);
ALTER TABLE device SET (fillfactor = 80);
ALTER TABLE inbox SET (fillfactor = 80);
ALTER TABLE idempotent_answer SET (fillfactor = 80);
ALTER TABLE statistics SET (fillfactor = 70);

-- The rows live for seconds, so compressing their lines would cost more than it saves.
ALTER TABLE statistics_change ALTER COLUMN lines SET STORAGE EXTERNAL;
