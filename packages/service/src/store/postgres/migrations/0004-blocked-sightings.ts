import type { Migration } from '../../migration.ts';

/**
 * A device’s inboxes that were answered `block` every time are no sign-ups: `device_sighting.blocked` is 1 for them
 * and `device.blocked` counts them.
 *
 * The rules about history leave the database here: each request brings the recommendation for every state of the
 * history and the marks that each fact adds. postern_settle_3 differs from postern_settle_2 only in the wave function
 * that it calls. Processes of an earlier version go on calling postern_settle_2; what they record counts as signed up.
 */
export const blockedSightings: Migration = {
  number: 4,
  name: 'blocked-sightings',
  sql: `
ALTER TABLE device ADD COLUMN blocked BIGINT NOT NULL DEFAULT 0;
ALTER TABLE device_sighting ADD COLUMN blocked BIGINT NOT NULL DEFAULT 0;

-- As in 0002-settle.ts, and the blocked inboxes that it drops leave their count.
CREATE OR REPLACE FUNCTION postern_forget_device_1(p_project TEXT, p_device TEXT, p_cutoff BIGINT, p_limit BIGINT)
RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
  v_inboxes BIGINT;
  v_blocked BIGINT;
  v_networks BIGINT;
  v_left BIGINT;
  v_first BIGINT;
  v_oldest BIGINT;
BEGIN
  -- By the rows' places: no other way to name them is as fast, and nobody else writes them meanwhile.
  WITH dropped AS (
    DELETE FROM device_sighting WHERE ctid = ANY (ARRAY(SELECT ctid FROM device_sighting
      WHERE project_id = p_project AND device = p_device AND last_seen < p_cutoff LIMIT p_limit))
    RETURNING blocked
  ) SELECT count(*), coalesce(sum(blocked), 0) INTO v_inboxes, v_blocked FROM dropped;
  DELETE FROM device_network WHERE ctid = ANY (ARRAY(SELECT ctid FROM device_network
    WHERE project_id = p_project AND device = p_device AND last_seen < p_cutoff LIMIT p_limit));
  GET DIAGNOSTICS v_networks = ROW_COUNT;

  SELECT count(*), min(first_seen), min(last_seen) INTO v_left, v_first, v_oldest
    FROM device_sighting WHERE project_id = p_project AND device = p_device;
  SELECT least(v_oldest, min(last_seen)) INTO v_oldest
    FROM device_network WHERE project_id = p_project AND device = p_device;
  IF v_oldest IS NULL THEN
    DELETE FROM device WHERE project_id = p_project AND device = p_device;
  ELSE
    -- A device with very many inboxes is put right once an hour, not with every request.
    IF v_left > 1000 AND v_oldest >= p_cutoff THEN
      v_oldest := greatest(v_oldest, p_cutoff + 3600000);
    END IF;
    UPDATE device SET inboxes = inboxes - v_inboxes, blocked = blocked - v_blocked, networks = networks - v_networks,
      first_seen = coalesce(v_first, first_seen), oldest_seen = v_oldest
      WHERE project_id = p_project AND device = p_device;
  END IF;
  RETURN greatest(1, v_inboxes + v_networks);
END $$;

-- Remembers and logs one wave: of each run as many requests as were admitted. What a fact of the history does to the
-- recommendation and the marks comes with the request; this function only finds out which facts hold.
CREATE FUNCTION postern_keep_wave_2(
  p_project TEXT, p_cutoff BIGINT, p_admitted BIGINT[], p_wave TEXT, OUT o_histories TEXT, OUT o_kinds TEXT[],
  OUT o_rows BIGINT
) LANGUAGE plpgsql AS $$
BEGIN
  WITH request AS (
    SELECT f[1]::INT AS order_, f[4] = '1' AS live, f[5]::BIGINT AS now, f[6] AS inbox, f[7] AS spelling,
      f[8] AS device, f[9] AS network, f[10]::BIGINT AS threshold, f[11]::BIGINT AS common, f[12] AS outcomes,
      f[13] AS log, f[14] AS marks, f[15] AS facts, coalesce(f[16], '') AS when_inbox_reused,
      coalesce(f[17], '') AS when_device_reused, coalesce(f[18], '') AS when_device_seen_twice,
      coalesce(f[19], '') AS when_device_over
    FROM (
      SELECT string_to_array(line, chr(31), '') AS f FROM unnest(string_to_array(p_wave, chr(30))) AS line OFFSET 0
    ) fields
    WHERE f[3]::INT < p_admitted[f[2]::INT]
    OFFSET 0
  ), recalled AS MATERIALIZED (
    SELECT r.*, d.first_seen, d.last_seen, coalesce(d.inboxes - d.blocked, 0) AS previous,
      coalesce(d.inboxes - d.blocked, 0) - CASE WHEN s.blocked = 0 THEN 1 ELSE 0 END AS others,
      coalesce(d.blocked, 0) AS attempts, s.blocked AS was_blocked,
      coalesce(d.networks, 0) + CASE WHEN r.network IS NULL OR n.network IS NOT NULL THEN 0 ELSE 1 END AS networks,
      s.inbox IS NULL AS new_inbox, r.network IS NOT NULL AND n.network IS NULL AS new_network,
      coalesce(CASE WHEN b.spelling <> r.spelling THEN b.last_seen ELSE b.other_seen END >= p_cutoff, FALSE)
        AS reused
    FROM request r
    LEFT JOIN LATERAL (SELECT spelling, last_seen, other_seen FROM inbox
      WHERE project_id = p_project AND inbox = r.inbox LIMIT 1) b ON TRUE
    LEFT JOIN LATERAL (SELECT inboxes, blocked, networks, first_seen, last_seen FROM device
      WHERE project_id = p_project AND device = r.device LIMIT 1) d ON TRUE
    LEFT JOIN LATERAL (SELECT inbox, blocked FROM device_sighting
      WHERE project_id = p_project AND device = r.device AND inbox = r.inbox LIMIT 1) s ON TRUE
    LEFT JOIN LATERAL (SELECT network FROM device_network
      WHERE project_id = p_project AND device = r.device AND network = r.network LIMIT 1) n ON TRUE
  ), judged AS (
    SELECT *, device IS NOT NULL AND networks < common AND others >= threshold AS over,
      device IS NOT NULL AND others > 0 AS device_reused, device IS NOT NULL AND previous >= 2 AS seen_twice
    FROM recalled OFFSET 0
  ), answered AS (
    -- The state of the history is the sum of its facts' bits, as historyState has it.
    SELECT *, substr(outcomes, 1 + reused::INT + 2 * device_reused::INT + 4 * seen_twice::INT + 8 * over::INT, 1)::INT
      AS action
    FROM judged OFFSET 0
  ), told AS MATERIALIZED (
    SELECT *, (ARRAY['allow', 'flag', 'block'])[1 + action] AS recommendation, (action = 2)::INT AS is_block,
      CASE WHEN device IS NULL THEN '[' || reused::INT || ']'
        ELSE '[' || reused::INT || ',' || previous || ',' || others || ',' || networks || ',' || over::INT || ','
          || (networks >= common)::INT || ',' || coalesce(first_seen::TEXT, 'null') || ','
          || coalesce(last_seen::TEXT, 'null') || ',' || attempts || ']' END AS history
    FROM answered
  ), logged AS (
    INSERT INTO validation_log (project_id, id, recommendation, marks, history, facts)
    SELECT p_project, log, recommendation,
      marks || CASE WHEN reused THEN when_inbox_reused ELSE '' END
        || CASE WHEN device_reused THEN replace(when_device_reused, '<N>', previous::TEXT) ELSE '' END
        || CASE WHEN seen_twice THEN replace(when_device_seen_twice, '<N>', previous::TEXT) ELSE '' END
        || CASE WHEN over THEN replace(when_device_over, '<N>', previous::TEXT) ELSE '' END,
      history, facts
    FROM told
  ), device_kept AS (
    INSERT INTO device AS t (project_id, device, inboxes, blocked, networks, first_seen, last_seen, oldest_seen)
    SELECT p_project, device, new_inbox::INT,
      -- A new inbox that is blocked, or a blocked one that now signs up.
      CASE WHEN new_inbox THEN is_block WHEN was_blocked = 1 AND is_block = 0 THEN -1 ELSE 0 END,
      new_network::INT, now, now, now
    FROM told WHERE live AND device IS NOT NULL
    ON CONFLICT (project_id, device) DO UPDATE SET inboxes = t.inboxes + excluded.inboxes,
      blocked = t.blocked + excluded.blocked,
      networks = t.networks + excluded.networks, first_seen = least(t.first_seen, excluded.first_seen),
      last_seen = greatest(t.last_seen, excluded.last_seen), oldest_seen = least(t.oldest_seen, excluded.oldest_seen)
  ), sighting_kept AS (
    INSERT INTO device_sighting AS t (project_id, device, inbox, first_seen, last_seen, count, blocked)
    SELECT p_project, device, inbox, now, now, 1, is_block FROM told WHERE live AND device IS NOT NULL
    ON CONFLICT (project_id, device, inbox) DO UPDATE SET last_seen = greatest(t.last_seen, excluded.last_seen),
      count = t.count + excluded.count, blocked = least(t.blocked, excluded.blocked)
  ), network_kept AS (
    INSERT INTO device_network AS t (project_id, device, network, last_seen)
    SELECT p_project, device, network, now FROM told WHERE live AND device IS NOT NULL AND network IS NOT NULL
    ON CONFLICT (project_id, device, network) DO UPDATE SET last_seen = greatest(t.last_seen, excluded.last_seen)
  ), inbox_kept AS (
    INSERT INTO inbox AS t (project_id, inbox, spelling, last_seen, kept_since)
    SELECT p_project, inbox, spelling, now, now FROM told WHERE live
    ON CONFLICT (project_id, inbox) DO UPDATE SET spelling = excluded.spelling,
      last_seen = greatest(t.last_seen, excluded.last_seen),
      other_spelling = CASE WHEN t.spelling <> excluded.spelling THEN t.spelling ELSE t.other_spelling END,
      other_seen = CASE WHEN t.spelling <> excluded.spelling THEN t.last_seen ELSE t.other_seen END
  )
  SELECT string_agg('[' || order_ || ',' || history || ']', ','), array_agg(recommendation) FILTER (WHERE live), count(*)
  INTO o_histories, o_kinds, o_rows FROM told;
END $$;

-- Answers JSON: for each run what was counted before it, how many of it were admitted and how many exceeded the
-- quota; for each lane its latest request and when enough will have left; the histories by the requests' order.
CREATE FUNCTION postern_settle_3(
  p_project TEXT, p_batch TEXT, p_month TEXT, p_now BIGINT, p_quota_limit BIGINT, p_cutoff BIGINT,
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
  v_passed BIGINT;
  v_admitted BIGINT;
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
      f[5] = '1' AS live, f[6] = '1' AS counts, f[7] = '1' AS validates, f[8]::BIGINT AS size
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
      CONTINUE;
    END IF;
    IF v_key_used IS NULL OR p_now - v_key_used >= 60000 THEN
      v_key_used := p_now;
      UPDATE api_key SET last_used_at = p_now WHERE project_id = p_project AND id = v_key;
    END IF;

    v_passed := v_run.size;
    IF v_run.counts THEN
      v_passed := least(v_run.size, greatest(0, p_rates[v_run.lane] - v_totals[v_run.lane]));
    END IF;
    v_admitted := v_passed;
    IF v_run.validates AND v_run.live THEN
      v_admitted := least(v_passed, greatest(0, p_quota_limit - v_used));
    END IF;
    v_admissions := v_admissions || v_admitted;
    v_run_answers := v_run_answers
      || ('[' || v_totals[v_run.lane] || ',' || v_used || ',' || v_admitted || ',' || v_passed - v_admitted || ']');
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
    || array_to_string(v_histories, ',') || ']]';
END $$;
`,
};
