import type { Migration } from '../../migration.ts';

/**
 * The request’s path as one call for a whole batch of one project. Within a function each statement sees what
 * was committed before it, so the row lock comes first, and then one statement judges and writes the batch.
 *
 * The caller sends batches whose rows share the second, the month, the quota’s limit, the retention and, within
 * a lane, the rate’s limit; see settle-projects.ts. So the first rows of a lane are the ones admitted. The rules
 * are those of the embedded store, sqlite/settle-batch.ts, and one contract suite holds the two together.
 *
 * The long texts of the log travel beside the rows, which are sorted and copied several times over.
 *
 * A plan is made once and kept, perhaps while the tables are still empty. LATERAL with LIMIT 1 and the settings
 * make it the one that stays right when they are full: every look-up by its whole key.
 */
export const settle: Migration = {
  number: 2,
  name: 'settle',
  sql: `
CREATE FUNCTION postern_forget_device_1(p_project TEXT, p_device TEXT, p_cutoff BIGINT, p_limit BIGINT)
RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
  v_inboxes BIGINT;
  v_networks BIGINT;
  v_left BIGINT;
  v_first BIGINT;
  v_oldest BIGINT;
BEGIN
  -- By the rows' places: no other way to name them is as fast, and nobody else writes them meanwhile.
  DELETE FROM device_sighting WHERE ctid = ANY (ARRAY(SELECT ctid FROM device_sighting
    WHERE project_id = p_project AND device = p_device AND last_seen < p_cutoff LIMIT p_limit));
  GET DIAGNOSTICS v_inboxes = ROW_COUNT;
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
    UPDATE device SET inboxes = inboxes - v_inboxes, networks = networks - v_networks,
      first_seen = coalesce(v_first, first_seen), oldest_seen = v_oldest
      WHERE project_id = p_project AND device = p_device;
  END IF;
  RETURN greatest(1, v_inboxes + v_networks);
END $$;

CREATE FUNCTION postern_settle_1(
  p_project TEXT, p_batch TEXT, p_month TEXT, p_now BIGINT, p_quota_limit BIGINT, p_cutoff BIGINT,
  p_lanes TEXT[], p_devices TEXT[], p_marks JSON, p_facts JSON, p_rows JSON
) RETURNS JSON LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET jit = off
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  v_version BIGINT;
  v_used BIGINT;
  v_gone BIGINT;
  v_at BIGINT;
  v_rows JSON;
  v_histories JSON;
  v_lanes JSON;
  v_lane RECORD;
  v_device TEXT;
  v_marks TEXT[] := ARRAY(SELECT json_array_elements_text(p_marks));
  v_facts TEXT[] := ARRAY(SELECT json_array_elements_text(p_facts));
BEGIN
  -- What was answered is on disk, whatever the server's default.
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', TRUE);
  END IF;

  SELECT version INTO v_version FROM project WHERE id = p_project AND archived_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;

  FOR v_lane IN SELECT lane, latest_at FROM rate_total WHERE project_id = p_project AND lane = ANY (p_lanes) LOOP
    v_at := greatest(p_now, v_lane.latest_at);
    IF v_lane.latest_at > p_now + 5000 THEN
      -- The clock was put back: what lies in the future is moved to now.
      v_at := p_now;
      WITH moved AS (
        DELETE FROM rate_bucket WHERE project_id = p_project AND lane = v_lane.lane AND second >= p_now / 1000
        RETURNING count
      ) SELECT coalesce(sum(count), 0) INTO v_gone FROM moved;
      IF v_gone > 0 THEN
        INSERT INTO rate_bucket (project_id, lane, second, count, last_at)
          VALUES (p_project, v_lane.lane, p_now / 1000, v_gone, p_now);
      END IF;
      UPDATE rate_total SET latest_at = p_now WHERE project_id = p_project AND lane = v_lane.lane;
    END IF;
    WITH gone AS (
      DELETE FROM rate_bucket WHERE project_id = p_project AND lane = v_lane.lane
        AND second <= (v_at - 3600000) / 1000 AND last_at <= v_at - 3600000
      RETURNING count
    ) SELECT coalesce(sum(count), 0) INTO v_gone FROM gone;
    IF v_gone > 0 THEN
      UPDATE rate_total SET total = total - v_gone WHERE project_id = p_project AND lane = v_lane.lane;
    END IF;
  END LOOP;

  FOR v_device IN
    SELECT device FROM device
    WHERE project_id = p_project AND device = ANY (p_devices) AND oldest_seen + 0 < p_cutoff
  LOOP
    PERFORM postern_forget_device_1(p_project, v_device, p_cutoff, NULL);
  END LOOP;

  SELECT used INTO v_used FROM quota WHERE project_id = p_project AND month = p_month;
  v_used := coalesce(v_used, 0);

  WITH input AS MATERIALIZED (
    SELECT * FROM json_to_recordset(p_rows) AS r (
      o INT, key TEXT, kv BIGINT, pv BIGINT, lane TEXT, live INT, now BIGINT, rate BIGINT, counts INT, valid INT,
      inbox TEXT, spelling TEXT, device TEXT, network TEXT, threshold BIGINT, common BIGINT,
      outcomes TEXT, alias INT, dev INT, log TEXT)
  ), rated AS MATERIALIZED (
    SELECT i.*, coalesce(t.total, 0) AS total, greatest(p_now, coalesce(t.latest_at, 0)) AS at,
      count(*) FILTER (WHERE i.counts = 1) OVER (PARTITION BY i.lane ORDER BY i.o) AS turn
    FROM input i
    JOIN LATERAL (SELECT version FROM api_key
      WHERE project_id = p_project AND id = i.key AND revoked_at IS NULL LIMIT 1) k ON k.version = i.kv
    LEFT JOIN LATERAL (SELECT total, latest_at FROM rate_total
      WHERE project_id = p_project AND lane = i.lane LIMIT 1) t ON TRUE
    WHERE i.pv = v_version
  ), claimed AS (
    SELECT *, counts = 1 AND total + turn > rate AS limited,
      greatest(total, least(total + turn, rate)) AS total_after,
      count(*) FILTER (WHERE valid = 1 AND live = 1 AND NOT (counts = 1 AND total + turn > rate)) OVER (ORDER BY o)
        AS claim
    FROM rated
  ), judged AS MATERIALIZED (
    SELECT *, greatest(v_used, least(v_used + claim, p_quota_limit)) AS used_after,
      CASE WHEN limited THEN 'rate-limited'
        WHEN valid = 1 AND live = 1 AND v_used + claim > p_quota_limit THEN 'quota-exceeded'
        ELSE 'admitted' END AS outcome
    FROM claimed
  ), recalled AS MATERIALIZED (
    SELECT j.o, j.live, j.now, j.inbox, j.spelling, j.device, j.network, j.threshold, j.common, j.outcomes,
      j.alias, j.dev, j.log,
      CASE WHEN b.spelling <> j.spelling THEN b.last_seen >= p_cutoff
        ELSE coalesce(b.other_seen >= p_cutoff, FALSE) END
      OR coalesce(min(j.spelling) FILTER (WHERE j.live = 1) OVER earlier_inbox <> j.spelling, FALSE)
      OR coalesce(max(j.spelling) FILTER (WHERE j.live = 1) OVER earlier_inbox <> j.spelling, FALSE) AS reused,
      coalesce(d.inboxes, 0) AS inboxes, coalesce(d.networks, 0) AS networks,
      s.inbox IS NOT NULL AS inbox_stored, n.network IS NOT NULL AS network_stored,
      count(*) FILTER (WHERE j.live = 1) OVER earlier_pair > 0 AS inbox_earlier,
      count(*) FILTER (WHERE j.live = 1) OVER earlier_network > 0 AS network_earlier,
      least(d.first_seen, min(j.now) FILTER (WHERE j.live = 1) OVER earlier_device) AS first_seen,
      greatest(d.last_seen, max(j.now) FILTER (WHERE j.live = 1) OVER earlier_device) AS last_seen
    FROM judged j
    LEFT JOIN LATERAL (SELECT spelling, last_seen, other_seen FROM inbox
      WHERE project_id = p_project AND inbox = j.inbox LIMIT 1) b ON TRUE
    LEFT JOIN LATERAL (SELECT inboxes, networks, first_seen, last_seen FROM device
      WHERE project_id = p_project AND device = j.device LIMIT 1) d ON TRUE
    LEFT JOIN LATERAL (SELECT inbox FROM device_sighting
      WHERE project_id = p_project AND device = j.device AND inbox = j.inbox LIMIT 1) s ON TRUE
    LEFT JOIN LATERAL (SELECT network FROM device_network
      WHERE project_id = p_project AND device = j.device AND network = j.network LIMIT 1) n ON TRUE
    WHERE j.outcome = 'admitted' AND j.valid = 1
    WINDOW earlier_inbox AS (PARTITION BY j.inbox ORDER BY j.o ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
      earlier_device AS (PARTITION BY j.device ORDER BY j.o ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
      earlier_pair AS (PARTITION BY j.device, j.inbox ORDER BY j.o ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
      earlier_network AS
        (PARTITION BY j.device, j.network ORDER BY j.o ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
  ), counted AS (
    SELECT *, inbox_stored OR inbox_earlier AS knows_inbox,
      inboxes + count(*) FILTER (WHERE live = 1 AND NOT inbox_stored AND NOT inbox_earlier) OVER earlier
        AS previous,
      networks + count(*) FILTER (WHERE live = 1 AND network IS NOT NULL AND NOT network_stored AND NOT network_earlier)
        OVER earlier
        + CASE WHEN network IS NULL OR network_stored OR network_earlier THEN 0 ELSE 1 END AS all_networks
    FROM recalled
    WINDOW earlier AS (PARTITION BY device ORDER BY o ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
  ), weighed AS MATERIALIZED (
    SELECT *, previous - CASE WHEN knows_inbox THEN 1 ELSE 0 END AS others,
      device IS NOT NULL AND all_networks < common
        AND previous - CASE WHEN knows_inbox THEN 1 ELSE 0 END >= threshold AS over
    FROM counted
  ), told AS MATERIALIZED (
    SELECT *,
      split_part(outcomes, ',', 1 + CASE WHEN over THEN 2 ELSE 0 END + CASE WHEN reused THEN 1 ELSE 0 END)
        AS recommendation,
      CASE WHEN device IS NULL THEN json_build_array(reused::INT)
        ELSE json_build_array(reused::INT, previous, others, all_networks, over::INT, (all_networks >= common)::INT,
          first_seen, last_seen) END AS history
    FROM weighed
  ), logged AS (
    INSERT INTO validation_log (project_id, id, recommendation, marks, history, facts)
    SELECT p_project, log, recommendation,
      v_marks[o + 1] || CASE WHEN alias = 1 AND reused THEN 'check:alias ' ELSE '' END
        || CASE WHEN dev = 1 AND over THEN 'check:device ' ELSE '' END
        || CASE WHEN alias = 1 AND reused THEN 'signal:alias_reuse ' ELSE '' END
        || CASE WHEN dev = 1 AND device IS NOT NULL AND others > 0 THEN 'signal:device_reuse ' ELSE '' END
        || CASE WHEN dev = 1 AND device IS NOT NULL AND previous >= 2
          THEN 'signal:device_seen_' || previous || '_times ' ELSE '' END,
      history::TEXT, v_facts[o + 1]
    FROM told
  ), log_counted AS (
    INSERT INTO log_total AS t (project_id, rows)
    SELECT p_project, count(*) FROM told HAVING count(*) > 0
    ON CONFLICT (project_id) DO UPDATE SET rows = t.rows + excluded.rows
  ), device_kept AS (
    INSERT INTO device AS t (project_id, device, inboxes, networks, first_seen, last_seen, oldest_seen)
    SELECT p_project, device, count(*) FILTER (WHERE NOT knows_inbox),
      count(*) FILTER (WHERE network IS NOT NULL AND NOT network_stored AND NOT network_earlier),
      min(now), max(now), min(now)
    FROM weighed WHERE live = 1 AND device IS NOT NULL GROUP BY device
    ON CONFLICT (project_id, device) DO UPDATE SET inboxes = t.inboxes + excluded.inboxes,
      networks = t.networks + excluded.networks, first_seen = least(t.first_seen, excluded.first_seen),
      last_seen = greatest(t.last_seen, excluded.last_seen), oldest_seen = least(t.oldest_seen, excluded.oldest_seen)
  ), sighting_kept AS (
    INSERT INTO device_sighting AS t (project_id, device, inbox, first_seen, last_seen, count)
    SELECT p_project, device, inbox, min(now), max(now), count(*)
    FROM weighed WHERE live = 1 AND device IS NOT NULL GROUP BY device, inbox
    ON CONFLICT (project_id, device, inbox) DO UPDATE SET last_seen = greatest(t.last_seen, excluded.last_seen),
      count = t.count + excluded.count
  ), network_kept AS (
    INSERT INTO device_network AS t (project_id, device, network, last_seen)
    SELECT p_project, device, network, max(now)
    FROM weighed WHERE live = 1 AND device IS NOT NULL AND network IS NOT NULL GROUP BY device, network
    ON CONFLICT (project_id, device, network) DO UPDATE SET last_seen = greatest(t.last_seen, excluded.last_seen)
  ), spelled AS (
    SELECT o, inbox, spelling, now, first_value(spelling) OVER (PARTITION BY inbox ORDER BY o DESC) AS newest
    FROM weighed WHERE live = 1
  ), inbox_kept AS (
    INSERT INTO inbox AS t (project_id, inbox, spelling, last_seen, other_spelling, other_seen, kept_since)
    SELECT p_project, inbox, newest, max(now),
      (array_agg(spelling ORDER BY o DESC) FILTER (WHERE spelling <> newest))[1],
      (array_agg(now ORDER BY o DESC) FILTER (WHERE spelling <> newest))[1], min(now)
    FROM spelled GROUP BY inbox, newest
    ON CONFLICT (project_id, inbox) DO UPDATE SET spelling = excluded.spelling,
      last_seen = greatest(t.last_seen, excluded.last_seen),
      other_spelling = CASE WHEN excluded.other_spelling IS NOT NULL THEN excluded.other_spelling
        WHEN t.spelling <> excluded.spelling THEN t.spelling ELSE t.other_spelling END,
      other_seen = CASE WHEN excluded.other_spelling IS NOT NULL THEN excluded.other_seen
        WHEN t.spelling <> excluded.spelling THEN t.last_seen ELSE t.other_seen END
  ), usage_counted AS (
    INSERT INTO usage_hour AS t (project_id, hour, kind, count)
    SELECT p_project, p_now / 3600000 * 3600000, u.kind, count(*) FROM (
      SELECT recommendation AS kind FROM told WHERE live = 1
      UNION ALL SELECT outcome FROM judged WHERE live = 1 AND outcome <> 'admitted'
    ) u GROUP BY u.kind
    ON CONFLICT (project_id, hour, kind) DO UPDATE SET count = t.count + excluded.count
  ), quota_counted AS (
    INSERT INTO quota AS t (project_id, month, used)
    SELECT p_project, p_month, count(*) FROM weighed WHERE live = 1 HAVING count(*) > 0
    ON CONFLICT (project_id, month) DO UPDATE SET used = t.used + excluded.used
  ), admitted AS MATERIALIZED (
    SELECT lane, max(at) AS at, count(*) AS requests FROM judged WHERE counts = 1 AND NOT limited GROUP BY lane
  ), bucket_counted AS (
    INSERT INTO rate_bucket AS t (project_id, lane, second, count, last_at)
    SELECT p_project, lane, at / 1000, requests, at FROM admitted
    ON CONFLICT (project_id, lane, second) DO UPDATE SET count = t.count + excluded.count,
      last_at = greatest(t.last_at, excluded.last_at)
  ), total_counted AS (
    INSERT INTO rate_total AS t (project_id, lane, total, latest_at)
    SELECT p_project, lane, requests, at FROM admitted
    ON CONFLICT (project_id, lane) DO UPDATE SET total = t.total + excluded.total, latest_at = excluded.latest_at
  ), use_noted AS (
    UPDATE api_key SET last_used_at = u.at FROM (SELECT key, max(now) AS at FROM rated GROUP BY key) u
    WHERE api_key.project_id = p_project AND api_key.id = u.key
      AND (api_key.last_used_at IS NULL OR u.at - api_key.last_used_at >= 60000)
  ), batch_noted AS (
    -- Fails when the batch was given up meanwhile, and then nothing of it is counted.
    INSERT INTO settled_batch (project_id, batch, at, month, consumed)
    SELECT p_project, p_batch, p_now, p_month, count(*) FROM weighed WHERE live = 1
  )
  SELECT (SELECT json_agg(json_build_array(o, outcome, total_after, used_after)) FROM judged),
    (SELECT json_agg(json_build_array(o, history)) FROM told)
  INTO v_rows, v_histories;

  SELECT json_agg(json_build_array(t.lane, t.latest_at,
    (SELECT b.last_at FROM rate_bucket b WHERE b.project_id = p_project AND b.lane = t.lane ORDER BY b.second LIMIT 1)))
  INTO v_lanes FROM rate_total t WHERE t.project_id = p_project AND t.lane = ANY (p_lanes);
  RETURN json_build_array(v_rows, v_histories, v_lanes);
END $$;

-- When so many requests of a lane will have left; only needed where a limit was lowered below what is counted.
CREATE FUNCTION postern_leaving_1(p_project TEXT, p_lane TEXT, p_wanted BIGINT) RETURNS BIGINT LANGUAGE sql AS $$
  SELECT last_at FROM (
    SELECT second, last_at, sum(count) OVER (ORDER BY second) AS gone FROM rate_bucket
    WHERE project_id = p_project AND lane = p_lane
  ) b WHERE gone >= p_wanted ORDER BY second LIMIT 1
$$;

-- Makes sure that a batch whose answer was lost counts for nothing: it is kept from being settled late, or its
-- quota is given back. Waits for a batch that is being settled at this moment.
CREATE FUNCTION postern_withdraw_1(p_project TEXT, p_batch TEXT, p_month TEXT, p_now BIGINT)
RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
  v_consumed BIGINT;
BEGIN
  INSERT INTO settled_batch (project_id, batch, at, month, consumed) VALUES (p_project, p_batch, p_now, p_month, 0)
    ON CONFLICT (project_id, batch) DO NOTHING;
  SELECT consumed INTO v_consumed FROM settled_batch WHERE project_id = p_project AND batch = p_batch FOR UPDATE;
  IF v_consumed > 0 THEN
    UPDATE settled_batch SET consumed = 0 WHERE project_id = p_project AND batch = p_batch;
    UPDATE quota SET used = greatest(0, used - v_consumed) WHERE project_id = p_project AND month = p_month;
  END IF;
  RETURN v_consumed;
END $$;
`,
};
