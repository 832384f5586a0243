import type { Migration } from '../../migration.ts';

/**
 * Limits against strangers who use a public client key, and the answers to requests with an `Idempotency-Key`; see
 * also sqlite/migrations/0003-limits.ts.
 *
 * postern_settle_4 differs from postern_settle_3 in two things. A run brings its own quota limit, because client keys
 * cannot use the reserve for server keys. And a run may name the visitor’s lane for each of its requests (0: none):
 * requests of a visitor whose hour is full are refused one by one, wherever they stand in the run, and count nowhere.
 *
 * Processes of an earlier version go on calling postern_settle_3, which takes the same lock and leaves the same rows.
 */
export const limits: Migration = {
  number: 5,
  name: 'limits',
  sql: `
ALTER TABLE project ADD COLUMN visitor_rate BIGINT NOT NULL DEFAULT 120;
ALTER TABLE project ADD COLUMN server_reserve BIGINT NOT NULL DEFAULT 0;

CREATE TABLE idempotent_answer (
  project_id TEXT COLLATE "C" NOT NULL,
  key_hash TEXT COLLATE "C" NOT NULL,
  request_hash TEXT COLLATE "C" NOT NULL,
  token TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  claimed_until BIGINT NOT NULL,
  answer TEXT COLLATE "C",
  PRIMARY KEY (project_id, key_hash)
) WITH (fillfactor = 80);
CREATE INDEX idempotent_answer_by_age ON idempotent_answer (project_id, created_at);

-- Answers JSON: for each run what was counted before it, the place from which on the quota was used up, and the place
-- from which on the rate was; for each lane its latest request and when enough will have left; the histories by the
-- requests' order; the order of each request that its visitor's limit refused.
CREATE FUNCTION postern_settle_4(
  p_project TEXT, p_batch TEXT, p_month TEXT, p_now BIGINT, p_cutoff BIGINT,
  p_lanes TEXT[], p_rates BIGINT[], p_runs TEXT, p_waves TEXT
) RETURNS TEXT LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET jit = off
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  v_version BIGINT;
  v_used BIGINT;
  v_consumed BIGINT := 0;
  v_devices_due BOOLEAN;
  v_rows BIGINT := 0;
  v_kinds TEXT[] := '{}';
  v_lane INT;
  v_opened RECORD;
  v_leaving BIGINT;
  v_run RECORD;
  v_key TEXT;
  v_key_version BIGINT;
  v_key_used BIGINT;
  v_room BIGINT;
  v_quota_room BIGINT;
  v_passed BIGINT;
  v_admitted BIGINT;
  v_rate_cut BIGINT;
  v_quota_cut BIGINT;
  v_place BIGINT;
  v_order BIGINT := 0;
  v_visitor INT;
  v_refused BIGINT[] := '{}';
  v_totals BIGINT[] := '{}';
  v_counted BIGINT[] := '{}';
  v_latest BIGINT[] := '{}';
  v_admissions BIGINT[] := '{}';
  v_waves TEXT[];
  v_wave TEXT;
  v_kept RECORD;
  v_run_answers TEXT[] := '{}';
  v_lane_answers TEXT[] := '{}';
  v_histories TEXT[] := '{}';
BEGIN
  -- What was answered is on disk, whatever the server's default.
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', TRUE);
  END IF;

  SELECT version INTO v_version FROM project WHERE id = p_project AND archived_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  SELECT coalesce((SELECT used FROM quota WHERE project_id = p_project AND month = p_month), 0),
    EXISTS (SELECT FROM device WHERE project_id = p_project AND oldest_seen < p_cutoff)
  INTO v_used, v_devices_due;

  FOR v_lane IN 1 .. cardinality(p_lanes) LOOP
    SELECT * INTO v_opened FROM postern_open_lane_1(p_project, p_lanes[v_lane], p_now);
    v_totals[v_lane] := v_opened.o_total;
    v_latest[v_lane] := v_opened.o_latest;
    v_counted[v_lane] := 0;
  END LOOP;

  FOR v_run IN
    SELECT f[1] AS key, f[2]::BIGINT AS key_version, f[3]::BIGINT AS project_version, f[4]::INT AS lane,
      f[5] = '1' AS live, f[6] = '1' AS counts, f[7] = '1' AS validates, f[8]::BIGINT AS size,
      f[9]::BIGINT AS quota_limit, nullif(f[10], '') AS visitors
    FROM (
      SELECT string_to_array(line, chr(31)) AS f FROM unnest(string_to_array(p_runs, chr(30))) AS line OFFSET 0
    ) fields
  LOOP
    IF v_run.key IS DISTINCT FROM v_key THEN
      v_key := v_run.key;
      SELECT version, last_used_at INTO v_key_version, v_key_used FROM api_key
        WHERE project_id = p_project AND id = v_key AND revoked_at IS NULL;
    END IF;
    IF v_run.project_version <> v_version OR v_run.key_version IS DISTINCT FROM v_key_version THEN
      v_admissions := v_admissions || 0::BIGINT;
      v_run_answers := v_run_answers || 'null'::TEXT;
      v_order := v_order + v_run.size;
      CONTINUE;
    END IF;
    IF v_key_used IS NULL OR p_now - v_key_used >= 60000 THEN
      v_key_used := p_now;
      UPDATE api_key SET last_used_at = p_now WHERE project_id = p_project AND id = v_key;
    END IF;

    v_room := v_run.size;
    IF v_run.counts THEN
      v_room := greatest(0, p_rates[v_run.lane] - v_totals[v_run.lane]);
    END IF;
    v_quota_room := v_run.size;
    IF v_run.validates AND v_run.live THEN
      v_quota_room := greatest(0, v_run.quota_limit - v_used);
    END IF;
    IF v_run.visitors IS NULL THEN
      v_passed := least(v_run.size, v_room);
      v_rate_cut := v_passed;
      v_quota_cut := least(v_passed, v_quota_room);
    ELSE
      v_passed := 0;
      v_place := 0;
      v_rate_cut := v_run.size;
      v_quota_cut := NULL;
      FOREACH v_visitor IN ARRAY string_to_array(v_run.visitors, ',')::INT[] LOOP
        IF v_visitor > 0 AND v_totals[v_visitor] >= p_rates[v_visitor] THEN
          v_refused := v_refused || (v_order + v_place);
        ELSIF v_passed >= v_room THEN
          v_rate_cut := least(v_rate_cut, v_place);
        ELSE
          IF v_visitor > 0 THEN
            v_totals[v_visitor] := v_totals[v_visitor] + 1;
            v_counted[v_visitor] := v_counted[v_visitor] + 1;
          END IF;
          IF v_passed >= v_quota_room THEN
            v_quota_cut := coalesce(v_quota_cut, v_place);
          END IF;
          v_passed := v_passed + 1;
        END IF;
        v_place := v_place + 1;
      END LOOP;
      v_quota_cut := coalesce(v_quota_cut, v_rate_cut);
    END IF;
    v_admitted := least(v_passed, v_quota_room);
    v_order := v_order + v_run.size;
    v_admissions := v_admissions || v_quota_cut;
    v_run_answers := v_run_answers
      || ('[' || v_totals[v_run.lane] || ',' || v_used || ',' || v_quota_cut || ',' || v_rate_cut || ']');
    IF v_run.counts THEN
      v_totals[v_run.lane] := v_totals[v_run.lane] + v_passed;
      v_counted[v_run.lane] := v_counted[v_run.lane] + v_passed;
    END IF;
    IF v_run.validates AND v_run.live THEN
      v_used := v_used + v_admitted;
      v_consumed := v_consumed + v_admitted;
    END IF;
    IF v_run.live AND v_admitted < v_run.size THEN
      v_kinds := v_kinds || array_fill('quota-exceeded'::TEXT, ARRAY[(v_passed - v_admitted)::INT])
        || array_fill('rate-limited'::TEXT, ARRAY[(v_run.size - v_passed)::INT]);
    END IF;
  END LOOP;

  v_waves := string_to_array(p_waves, chr(29));
  IF v_devices_due THEN
    PERFORM postern_refresh_devices_1(p_project, p_cutoff, v_waves);
  END IF;
  FOREACH v_wave IN ARRAY v_waves LOOP
    IF cardinality(v_refused) > 0 THEN
      SELECT string_agg(line, chr(30)) INTO v_wave FROM unnest(string_to_array(v_wave, chr(30))) AS line
        WHERE split_part(line, chr(31), 1)::BIGINT <> ALL (v_refused);
      CONTINUE WHEN v_wave IS NULL;
    END IF;
    SELECT * INTO v_kept FROM postern_keep_wave_2(p_project, p_cutoff, v_admissions, v_wave);
    v_histories := v_histories || v_kept.o_histories;
    v_kinds := v_kinds || v_kept.o_kinds;
    v_rows := v_rows + v_kept.o_rows;
  END LOOP;

  WITH counted AS MATERIALIZED (
    SELECT lane, requests, total, greatest(p_now, latest) AS at
    FROM unnest(p_lanes, v_counted, v_totals, v_latest) AS l (lane, requests, total, latest) WHERE requests > 0
  ), bucket_counted AS (
    INSERT INTO rate_bucket AS t (project_id, lane, second, count, last_at)
    SELECT p_project, lane, at / 1000, requests, at FROM counted
    ON CONFLICT (project_id, lane, second) DO UPDATE SET count = t.count + excluded.count,
      last_at = greatest(t.last_at, excluded.last_at)
  ), total_counted AS (
    INSERT INTO rate_total AS t (project_id, lane, total, latest_at) SELECT p_project, lane, total, at FROM counted
    ON CONFLICT (project_id, lane) DO UPDATE SET total = excluded.total, latest_at = excluded.latest_at
  ), log_counted AS (
    INSERT INTO log_total AS t (project_id, rows) SELECT p_project, v_rows WHERE v_rows > 0
    ON CONFLICT (project_id) DO UPDATE SET rows = t.rows + excluded.rows
  ), usage_counted AS (
    INSERT INTO usage_hour AS t (project_id, hour, kind, count)
    SELECT p_project, p_now / 3600000 * 3600000, kind, count(*) FROM unnest(v_kinds) AS kind GROUP BY kind
    ON CONFLICT (project_id, hour, kind) DO UPDATE SET count = t.count + excluded.count
  ), quota_counted AS (
    INSERT INTO quota AS t (project_id, month, used) SELECT p_project, p_month, v_consumed WHERE v_consumed > 0
    ON CONFLICT (project_id, month) DO UPDATE SET used = t.used + excluded.used
  )
  -- Fails when the batch was given up meanwhile, and then nothing of it is counted.
  INSERT INTO settled_batch (project_id, batch, at, month, consumed)
    VALUES (p_project, p_batch, p_now, p_month, v_consumed);

  FOR v_lane IN 1 .. cardinality(p_lanes) LOOP
    IF v_counted[v_lane] > 0 THEN
      v_latest[v_lane] := greatest(p_now, v_latest[v_lane]);
    END IF;
    v_leaving := NULL;
    IF v_totals[v_lane] >= p_rates[v_lane] THEN
      v_leaving := postern_leaving_1(p_project, p_lanes[v_lane], v_totals[v_lane] - p_rates[v_lane] + 1);
    END IF;
    v_lane_answers := v_lane_answers || ('[' || v_latest[v_lane] || ',' || coalesce(v_leaving::TEXT, 'null') || ']');
  END LOOP;

  RETURN '[[' || array_to_string(v_run_answers, ',') || '],[' || array_to_string(v_lane_answers, ',') || '],['
    || array_to_string(v_histories, ',') || '],[' || array_to_string(v_refused, ',') || ']]';
END $$;
`,
};
