import { BUCKET_MS, CLOCK_SKEW_MS, WINDOW_MS } from '../../rate-rules.ts';
import { SLOT_MS } from '../../statistics/statistics-words.ts';

/** Functions of `0002-settle.ts`: the lanes of the sliding hour, the quota and the statistics. */
export const COUNTING_FUNCTIONS = `
-- Lets go of what left the sliding hour; answers where the lane stands. o_counted is that of its newest row.
CREATE FUNCTION postern_open_lane_1(
  p_project TEXT, p_lane TEXT, p_now BIGINT, OUT o_total BIGINT, OUT o_counted BIGINT, OUT o_latest BIGINT
) LANGUAGE plpgsql AS $$
DECLARE
  v_gone BIGINT;
  v_oldest BIGINT;
  v_hour_ago BIGINT;
BEGIN
  SELECT newest.counted - oldest.counted + oldest.count, newest.counted, newest.last_at, oldest.last_at
  INTO o_total, o_counted, o_latest, v_oldest
  FROM (SELECT counted, last_at FROM rate_bucket
      WHERE project_id = p_project AND lane = p_lane ORDER BY second DESC LIMIT 1) newest,
    (SELECT counted, count, last_at FROM rate_bucket
      WHERE project_id = p_project AND lane = p_lane ORDER BY second LIMIT 1) oldest;
  IF NOT FOUND THEN
    o_total := 0;
    o_counted := 0;
    o_latest := p_now;
    RETURN;
  END IF;
  IF o_latest > p_now + ${CLOCK_SKEW_MS} THEN
    -- The clock was put back: what lies in the future is moved to now.
    o_latest := p_now;
    WITH moved AS (
      DELETE FROM rate_bucket WHERE project_id = p_project AND lane = p_lane AND second >= p_now / ${BUCKET_MS}
      RETURNING count
    ) SELECT coalesce(sum(count), 0) INTO v_gone FROM moved;
    IF v_gone > 0 THEN
      INSERT INTO rate_bucket (project_id, lane, second, count, last_at, counted)
        VALUES (p_project, p_lane, p_now / ${BUCKET_MS}, v_gone, p_now, o_counted);
    END IF;
  END IF;
  v_hour_ago := greatest(p_now, o_latest) - ${WINDOW_MS};
  IF v_oldest <= v_hour_ago THEN
    WITH gone AS (
      DELETE FROM rate_bucket WHERE project_id = p_project AND lane = p_lane
        AND second <= v_hour_ago / ${BUCKET_MS} AND last_at <= v_hour_ago
      RETURNING count
    ) SELECT coalesce(sum(count), 0) INTO v_gone FROM gone;
    o_total := o_total - v_gone;
  END IF;
END $$;

-- When so many requests of a lane will have left; only needed where a limit was lowered below what is counted.
CREATE FUNCTION postern_leaving_1(p_project TEXT, p_lane TEXT, p_wanted BIGINT) RETURNS BIGINT LANGUAGE sql AS $$
  SELECT last_at FROM (
    SELECT second, last_at, sum(count) OVER (ORDER BY second) AS gone FROM rate_bucket
    WHERE project_id = p_project AND lane = p_lane
  ) b WHERE gone >= p_wanted ORDER BY second LIMIT 1
$$;

-- Writes what a batch counted: for each lane its requests, what was counted before and its latest time; lines for the
-- statistics; the quota; and that the batch was settled.
CREATE FUNCTION postern_count_1(
  p_project TEXT, p_batch TEXT, p_month TEXT, p_now BIGINT, p_lanes TEXT[], p_counted BIGINT[], p_before BIGINT[],
  p_latest BIGINT[], p_lines TEXT[], p_consumed BIGINT, p_change TEXT
) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  WITH counted AS MATERIALIZED (
    SELECT lane, requests, before, greatest(p_now, latest) AS at
    FROM unnest(p_lanes, p_counted, p_before, p_latest) AS l (lane, requests, before, latest) WHERE requests > 0
  ), bucket_counted AS (
    INSERT INTO rate_bucket AS t (project_id, lane, second, count, last_at, counted)
    SELECT p_project, lane, at / ${BUCKET_MS}, requests, at, before + requests FROM counted
    ON CONFLICT (project_id, lane, second) DO UPDATE SET count = t.count + excluded.count,
      last_at = greatest(t.last_at, excluded.last_at), counted = excluded.counted
  ), statistics_counted AS (
    INSERT INTO statistics_change (project_id, id, at, lines)
    SELECT p_project, p_change, p_now / ${SLOT_MS} * ${SLOT_MS}, lines
    FROM (SELECT array_to_string(p_lines, chr(10)) AS lines) l WHERE lines <> ''
  ), quota_counted AS (
    INSERT INTO quota AS t (project_id, month, used) SELECT p_project, p_month, p_consumed WHERE p_consumed > 0
    ON CONFLICT (project_id, month) DO UPDATE SET used = t.used + excluded.used
  )
  -- Fails when the batch was given up meanwhile, and then nothing of it is counted.
  INSERT INTO settled_batch (project_id, batch, at) SELECT p_project, p_batch, p_now WHERE p_batch IS NOT NULL;
END $$;

-- Replaces statistics by others that were made from them and from these changes. Does nothing if anybody else changed
-- one of them meanwhile, or the project is gone. The rows come as [{"at", "before", "counts"}].
CREATE FUNCTION postern_merge_statistics_1(p_project TEXT, p_changes TEXT[], p_rows TEXT)
RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
  v_found BIGINT;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('postern statistics ' || p_project));
  -- Waits if the project is being deleted.
  PERFORM 1 FROM project WHERE id = p_project FOR KEY SHARE;
  IF NOT FOUND THEN
    RETURN FALSE;
  END IF;
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
`;
