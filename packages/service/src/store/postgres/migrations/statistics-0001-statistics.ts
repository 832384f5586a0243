import type { Migration } from '../../migration.ts';
import { fillFromLog } from '../../statistics/fill-from-log.ts';

/**
 * Statistics for each half hour, as JSON, and the changes that are not added to it yet, as lines; see
 * sqlite/migrations/statistics-0001-statistics.ts.
 *
 * A trigger on the log writes the change of a validation, so that no writer can forget it, processes of an earlier
 * version included. Requests that a limit refused leave no log row: postern_settle_5 tells another trigger the time of
 * the batch, because usage_hour knows only the hour. A change is a new row each time, so that settling a request waits
 * for nobody. One process at a time adds changes to the half hour’s row; see postgres-statistics.ts.
 */
export const statistics: Migration = {
  number: 1,
  name: 'statistics',
  sql: `
CREATE TABLE statistics (
  project_id TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  counts TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (project_id, at)
) WITH (fillfactor = 70);

-- The ID begins with the time at which the change was made. The rows live for seconds, so compressing their lines
-- would cost more than it saves.
CREATE TABLE statistics_change (
  project_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  lines TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (project_id, id)
);
ALTER TABLE statistics_change ALTER COLUMN lines SET STORAGE EXTERNAL;

-- From here on nobody writes to the log until this step is done, so that each row is counted once.
LOCK TABLE validation_log IN SHARE ROW EXCLUSIVE MODE;
${fillFromLog('postgres').join(';\n')};

-- The time with which an ID begins, in base 36.
CREATE FUNCTION postern_time_of_id_1(p_id TEXT) RETURNS BIGINT LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_time BIGINT := 0;
BEGIN
  FOR v_place IN 1 .. 9 LOOP
    v_time := v_time * 36 + strpos('0123456789abcdefghijklmnopqrstuvwxyz', substr(p_id, v_place, 1)) - 1;
  END LOOP;
  RETURN v_time;
END $$;

-- The rows of one statement are of one project and one second.
CREATE FUNCTION postern_count_validations_1() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('postern.loading', TRUE) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO statistics_change (project_id, id, at, lines)
  SELECT project_id, min(id), postern_time_of_id_1(min(id)) / 1800000 * 1800000,
    string_agg('1 ' || recommendation || substr(marks, strpos(marks, ' domain:')), chr(10))
  FROM new_rows WHERE marks NOT LIKE ' mode:test %' GROUP BY project_id;
  RETURN NULL;
END $$;
CREATE TRIGGER validations_to_statistics AFTER INSERT ON validation_log
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION postern_count_validations_1();

-- Only while postern_settle_5 runs: others who count refusals add their change themselves.
CREATE FUNCTION postern_count_refusals_1() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  v_change TEXT := current_setting('postern.change', TRUE);
  v_added BIGINT := NEW.count;
BEGIN
  IF v_change IS NULL OR v_change = '' THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    v_added := NEW.count - OLD.count;
  END IF;
  INSERT INTO statistics_change (project_id, id, at, lines)
    VALUES (NEW.project_id, v_change || NEW.kind, postern_time_of_id_1(v_change) / 1800000 * 1800000,
      v_added || ' ' || NEW.kind);
  RETURN NULL;
END $$;
CREATE TRIGGER refusals_to_statistics AFTER INSERT OR UPDATE ON usage_hour FOR EACH ROW
  WHEN (NEW.kind IN ('rate-limited', 'quota-exceeded')) EXECUTE FUNCTION postern_count_refusals_1();

-- As postern_settle_4, with an ID for what the batch adds to the statistics. The ID begins with the batch's time.
CREATE FUNCTION postern_settle_5(
  p_project TEXT, p_batch TEXT, p_month TEXT, p_now BIGINT, p_cutoff BIGINT,
  p_lanes TEXT[], p_rates BIGINT[], p_runs TEXT, p_waves TEXT, p_change TEXT
) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('postern.change', p_change, TRUE);
  RETURN postern_settle_4(p_project, p_batch, p_month, p_now, p_cutoff, p_lanes, p_rates, p_runs, p_waves);
END $$;

-- Replaces rows by others that were made from them and from these changes. Does nothing if anybody else changed one
-- of them meanwhile. The rows come as [{"at", "before", "counts"}].
CREATE FUNCTION postern_merge_statistics_1(p_project TEXT, p_changes TEXT[], p_rows TEXT)
RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
  v_found BIGINT;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('postern statistics ' || p_project));
  SELECT count(*) INTO v_found FROM statistics_change WHERE project_id = p_project AND id = ANY (p_changes);
  IF v_found <> cardinality(p_changes) OR EXISTS (
    SELECT FROM json_to_recordset(p_rows::JSON) AS r (at BIGINT, before TEXT)
    LEFT JOIN statistics s ON s.project_id = p_project AND s.at = r.at
    WHERE s.counts IS DISTINCT FROM r.before COLLATE "C"
  ) THEN
    RETURN FALSE;
  END IF;
  DELETE FROM statistics_change WHERE project_id = p_project AND id = ANY (p_changes);
  INSERT INTO statistics AS s (project_id, at, counts)
    SELECT p_project, at, counts FROM json_to_recordset(p_rows::JSON) AS r (at BIGINT, counts TEXT)
    ON CONFLICT (project_id, at) DO UPDATE SET counts = excluded.counts;
  RETURN TRUE;
END $$;
`,
};
