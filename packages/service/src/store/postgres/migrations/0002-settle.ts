import type { Migration } from '../../migration.ts';
import { KEY_USE_NOTED_EVERY_MS } from '../../rate-rules.ts';
import { timePrefixSql } from '../../timed-id.ts';
import { COUNTING_FUNCTIONS } from './settle-counting.ts';
import { FIELD, REQUEST, runField, separator, WAVE } from './settle-fields.ts';
import { HISTORY_FUNCTIONS } from './settle-history.ts';

/**
 * Whether a sighting that the sweep has not looked at yet is past its time. If not, so is nothing of any device. The order
 * makes the planner use the key.
 */
const isDue = (table: string) =>
  `(SELECT id FROM ${table} WHERE project_id = p_project AND id > s.swept AND id < s.due ORDER BY id LIMIT 1) IS NOT NULL`;

/**
 * A batch that waited this long for the project’s row is one of several. Two batches of one process take turns faster,
 * and for them the second transaction would cost more than the shorter turn gains.
 */
const CROWDED_AFTER_MS = 5;

/**
 * The request’s path as one call for a whole batch of one project. Within a function each statement sees what was
 * committed before it, so the project’s row is locked first: nobody else writes what belongs to the project meanwhile.
 * The rules are those of the embedded store, sqlite/settle-batch.ts, and one contract suite tests both.
 *
 * The service says beforehand what the requests of a batch mean to each other (encode-batch.ts):
 *
 * - A run is requests in a row that are counted alike, so its first are the ones admitted. A run may name the visitor’s
 *   lanes for each of its requests: requests of a visitor who filled one of them are refused one by one, wherever they
 *   stand in the run, and count nowhere.
 * - A wave is requests of different devices and different inboxes, so each is judged by what is stored alone. Who comes
 *   back within the batch is in a later wave, which sees what the earlier ones left. Mostly there is one.
 *
 * The service also sends the recommendation for every state of the history and the words that each fact adds; the
 * database only finds out which facts hold.
 *
 * A plan is made once and kept, perhaps while the tables are still empty. LATERAL with LIMIT 1 and the settings make it
 * the one that stays right when they are full: every look-up by its whole key.
 */
export const settle: Migration = {
  number: 2,
  name: 'settle',
  sql: `${HISTORY_FUNCTIONS}${COUNTING_FUNCTIONS}
-- Answers JSON: for each run what was counted before it, the place from which on the quota was used up, and the place
-- from which on the rate was; for each lane its latest request and when enough will have left; the histories by the
-- requests' order; the order of each request that its visitor's limit refused, with the lane, from 0; 1 if the batch is
-- on disk only after postern_flush_1. p_change is the ID of what the batch adds to the statistics.
CREATE FUNCTION postern_settle_1(
  p_project TEXT, p_batch TEXT, p_month TEXT, p_now BIGINT, p_cutoff BIGINT,
  p_lanes TEXT[], p_rates BIGINT[], p_runs TEXT, p_waves TEXT, p_change TEXT
) RETURNS TEXT LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET jit = off
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  v_asked TIMESTAMPTZ;
  v_crowded BOOLEAN;
  v_version BIGINT;
  v_used BIGINT;
  v_consumed BIGINT := 0;
  v_devices_due BOOLEAN;
  v_over_rate BIGINT := 0;
  v_over_quota BIGINT := 0;
  v_lines TEXT[] := '{}';
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
  v_rate_ends_at BIGINT;
  v_quota_ends_at BIGINT;
  v_place BIGINT;
  v_order BIGINT := 0;
  v_visitor TEXT;
  v_visitor_lanes INT[];
  v_full INT;
  v_refused BIGINT[] := '{}';
  v_refused_by TEXT[] := '{}';
  v_totals BIGINT[] := '{}';
  v_counted BIGINT[] := '{}';
  v_counted_before BIGINT[] := '{}';
  v_latest BIGINT[] := '{}';
  v_admissions BIGINT[] := '{}';
  v_waves TEXT[];
  v_wave TEXT;
  v_kept RECORD;
  v_run_answers TEXT[] := '{}';
  v_lane_answers TEXT[] := '{}';
  v_histories TEXT[] := '{}';
BEGIN
  -- For the first batch of a connection, planning the statements takes longer than the batch. So they are planned before
  -- the row is locked, with a batch of nothing.
  IF current_setting('postern.planned', TRUE) IS DISTINCT FROM '1' THEN
    PERFORM postern_open_lane_1(p_project, '', p_now);
    PERFORM postern_keep_wave_1(p_project, p_cutoff, '{}', '');
    PERFORM postern_count_1(p_project, NULL, p_month, p_now, '{}', '{}', '{}', '{}', '{}', 0, p_change);
    PERFORM set_config('postern.planned', '1', FALSE);
  END IF;

  v_asked := clock_timestamp();
  SELECT version INTO v_version FROM project WHERE id = p_project AND archived_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  v_crowded := clock_timestamp() - v_asked > INTERVAL '${CROWDED_AFTER_MS} milliseconds';
  -- What was answered is on disk, whatever the server's default. If others wait for the row too, they get it before that,
  -- and the service waits for the disk with postern_flush_1. A later batch is never on disk without the earlier ones.
  IF v_crowded THEN
    PERFORM set_config('synchronous_commit', 'off', TRUE);
  ELSIF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', TRUE);
  END IF;
  SELECT coalesce((SELECT used FROM quota WHERE project_id = p_project AND month = p_month), 0),
    ${isDue('past_sighting')} OR ${isDue('validation_log')}
  INTO v_used, v_devices_due
  FROM (SELECT coalesce((SELECT id FROM swept_log WHERE project_id = p_project), '') AS swept,
    ${timePrefixSql('greatest(0, p_cutoff)')} AS due) s;

  FOR v_lane IN 1 .. cardinality(p_lanes) LOOP
    v_opened := postern_open_lane_1(p_project, p_lanes[v_lane], p_now);
    v_totals[v_lane] := v_opened.o_total;
    v_counted_before[v_lane] := v_opened.o_counted;
    v_latest[v_lane] := v_opened.o_latest;
    v_counted[v_lane] := 0;
  END LOOP;

  FOR v_run IN
    SELECT ${runField('key')} AS key, ${runField('keyVersion')}::BIGINT AS key_version,
      ${runField('projectVersion')}::BIGINT AS project_version, ${runField('lane')}::INT AS lane,
      ${runField('live')} = '1' AS live, ${runField('counts')} = '1' AS counts,
      ${runField('validates')} = '1' AS validates, ${runField('size')}::BIGINT AS size,
      ${runField('quotaLimit')}::BIGINT AS quota_limit, nullif(${runField('visitors')}, '') AS visitors
    FROM (
      SELECT string_to_array(line, ${separator(FIELD)}) AS f
      FROM unnest(string_to_array(p_runs, ${separator(REQUEST)})) AS line OFFSET 0
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
    IF v_key_used IS NULL OR p_now - v_key_used >= ${KEY_USE_NOTED_EVERY_MS} THEN
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
      v_rate_ends_at := v_passed;
      v_quota_ends_at := least(v_passed, v_quota_room);
    ELSE
      v_passed := 0;
      v_place := 0;
      v_rate_ends_at := v_run.size;
      v_quota_ends_at := NULL;
      FOREACH v_visitor IN ARRAY string_to_array(v_run.visitors, ',') LOOP
        v_visitor_lanes := string_to_array(v_visitor, '.')::INT[];
        v_full := NULL;
        FOREACH v_lane IN ARRAY v_visitor_lanes LOOP
          IF v_full IS NULL AND v_totals[v_lane] >= p_rates[v_lane] THEN
            v_full := v_lane;
          END IF;
        END LOOP;
        IF v_full IS NOT NULL THEN
          v_refused := v_refused || (v_order + v_place);
          v_refused_by := v_refused_by || ('[' || (v_order + v_place) || ',' || (v_full - 1) || ']');
        ELSIF v_passed >= v_room THEN
          v_rate_ends_at := least(v_rate_ends_at, v_place);
        ELSE
          FOREACH v_lane IN ARRAY v_visitor_lanes LOOP
            v_totals[v_lane] := v_totals[v_lane] + 1;
            v_counted[v_lane] := v_counted[v_lane] + 1;
          END LOOP;
          IF v_passed >= v_quota_room THEN
            v_quota_ends_at := coalesce(v_quota_ends_at, v_place);
          END IF;
          v_passed := v_passed + 1;
        END IF;
        v_place := v_place + 1;
      END LOOP;
      v_quota_ends_at := coalesce(v_quota_ends_at, v_rate_ends_at);
    END IF;
    v_admitted := least(v_passed, v_quota_room);
    v_order := v_order + v_run.size;
    v_admissions := v_admissions || v_quota_ends_at;
    v_run_answers := v_run_answers
      || ('[' || v_totals[v_run.lane] || ',' || v_used || ',' || v_quota_ends_at || ',' || v_rate_ends_at || ']');
    IF v_run.counts THEN
      v_totals[v_run.lane] := v_totals[v_run.lane] + v_passed;
      v_counted[v_run.lane] := v_counted[v_run.lane] + v_passed;
    END IF;
    IF v_run.validates AND v_run.live THEN
      v_used := v_used + v_admitted;
      v_consumed := v_consumed + v_admitted;
    END IF;
    IF v_run.live THEN
      v_over_quota := v_over_quota + v_passed - v_admitted;
      v_over_rate := v_over_rate + v_run.size - v_passed;
    END IF;
  END LOOP;

  v_waves := string_to_array(p_waves, ${separator(WAVE)});
  IF v_devices_due THEN
    PERFORM postern_refresh_devices_1(p_project, p_cutoff, v_waves);
  END IF;
  FOREACH v_wave IN ARRAY v_waves LOOP
    IF cardinality(v_refused) > 0 THEN
      SELECT string_agg(line, ${separator(REQUEST)}) INTO v_wave
        FROM unnest(string_to_array(v_wave, ${separator(REQUEST)})) AS line
        WHERE split_part(line, ${separator(FIELD)}, 1)::BIGINT <> ALL (v_refused);
      CONTINUE WHEN v_wave IS NULL;
    END IF;
    v_kept := postern_keep_wave_1(p_project, p_cutoff, v_admissions, v_wave);
    v_histories := v_histories || v_kept.o_histories;
    v_lines := v_lines || v_kept.o_lines;
  END LOOP;
  IF v_over_quota > 0 THEN
    v_lines := v_lines || (v_over_quota || ' quota-exceeded');
  END IF;
  IF v_over_rate > 0 THEN
    v_lines := v_lines || (v_over_rate || ' rate-limited');
  END IF;

  PERFORM postern_count_1(p_project, p_batch, p_month, p_now, p_lanes, v_counted, v_counted_before, v_latest,
    v_lines, v_consumed, p_change);

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
    || array_to_string(v_histories, ',') || '],[' || array_to_string(v_refused_by, ',') || '],'
    || v_crowded::INT || ']';
END $$;

-- Resolves when this batch, and with it everything that was committed before, is on disk (and on the standbys that the
-- server waits for): it writes a little itself and waits for that. FALSE if the batch is gone, because the server
-- crashed in between, or another one has taken its place.
CREATE FUNCTION postern_flush_1(p_project TEXT, p_batch TEXT) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', TRUE);
  END IF;
  UPDATE settled_batch SET at = at WHERE project_id = p_project AND batch = p_batch;
  RETURN FOUND;
END $$;
`,
};
