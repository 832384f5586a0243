import { ACTIONS } from '@postern/contract';
import { MAX_OF_DEVICE } from '@postern/contract/project-fields';
import {
  CLAIM_COUNTS_MS,
  DEVICE_CLAIM_COUNTS_MS,
  HISTORY_FACTS,
  type HistoryFact,
  SEEN_TWICE,
} from '../../../model/history.ts';
import type { Migration } from '../../migration.ts';
import { BUCKET_MS, CLOCK_SKEW_MS, KEY_USE_NOTED_EVERY_MS, WINDOW_MS } from '../../rate-rules.ts';
import { LINE_OF_ROW, SLOT_MS } from '../../statistics/statistics-words.ts';
import { FIELD, requestField as field, REQUEST, runField, STATE, separator, WAVE } from './settle-fields.ts';

/** Whether each fact of the history holds, by the columns of `judged` below. */
const HOLDS: Readonly<Record<HistoryFact, string>> = {
  inboxReused: 'reused',
  deviceReused: 'device_reused',
  deviceSeenTwice: 'seen_twice',
  deviceOverThreshold: 'over',
  deviceMayBlock: 'may_block',
};
const STATE_OF_HISTORY = HISTORY_FACTS.map((fact, bit) => `${2 ** bit} * ${HOLDS[fact]}::INT`).join(' + ');
const WORDS_OF_HISTORY = HISTORY_FACTS.map(
  (fact) =>
    `CASE WHEN ${HOLDS[fact]} THEN replace(coalesce(${field(fact)}, ''), '<N>', previous::TEXT) ELSE '' END`,
).join(' || ');
const RECOMMENDATIONS = ACTIONS.map((action) => `'${action}'`).join(', ');

/** A text for each state of the history, or one for all of them. */
const ofState = (column: string) =>
  `CASE WHEN strpos(${column}, ${separator(STATE)}) = 0 THEN ${column}
      ELSE split_part(${column}, ${separator(STATE)}, 1 + state) END AS ${column}`;

/** Whether a known spelling counts against the request `r`; see `isReused`. */
const counts = (seenAt: string, claimedFrom: string) =>
  `${seenAt} >= p_cutoff AND (${claimedFrom} IS NULL OR (NOT r.confirmed_only
        AND (${claimedFrom} = coalesce(r.claim_network, '-') OR ${seenAt} >= r.now - ${CLAIM_COUNTS_MS})))`;

/** Whether the other spelling stays, and not the last one becomes it; see `withSpelling`. */
const KEEPS_OTHER = `(t.spelling = excluded.spelling OR coalesce(t.other_spelling <> excluded.spelling
        AND t.other_claimed_from IS NULL AND t.other_seen >= p_cutoff
        AND NOT (t.claimed_from IS NULL AND t.last_seen >= p_cutoff), FALSE))`;

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
  sql: `
-- Drops what a device brought before a time, at most p_limit of each kind. Returns how much that was.
CREATE FUNCTION postern_forget_device_1(p_project TEXT, p_device TEXT, p_cutoff BIGINT, p_limit BIGINT)
RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
  v_inboxes BIGINT;
  v_blocked BIGINT;
  v_networks BIGINT;
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

  SELECT min(first_seen), min(last_seen) INTO v_first, v_oldest
    FROM device_sighting WHERE project_id = p_project AND device = p_device;
  SELECT least(v_oldest, min(last_seen)) INTO v_oldest
    FROM device_network WHERE project_id = p_project AND device = p_device;
  IF v_oldest IS NULL THEN
    DELETE FROM device WHERE project_id = p_project AND device = p_device;
  ELSE
    UPDATE device SET inboxes = inboxes - v_inboxes, blocked = blocked - v_blocked, networks = networks - v_networks,
      first_seen = coalesce(v_first, first_seen), oldest_seen = v_oldest
      WHERE project_id = p_project AND device = p_device;
  END IF;
  RETURN greatest(1, v_inboxes + v_networks);
END $$;

-- A device that brought one more than is remembered loses another. An inbox that was always blocked goes before those that
-- signed up, and one that only client keys claimed before those that a backend confirmed, so that nobody can make a device
-- forget them; otherwise the one that was seen longest ago. What the request itself brought stays.
CREATE FUNCTION postern_make_room_1(p_project TEXT, p_device TEXT, p_inbox TEXT, p_network TEXT)
RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM device_sighting WHERE ctid = ANY (ARRAY(SELECT ctid FROM device_sighting
    WHERE project_id = p_project AND device = p_device AND inbox <> p_inbox
    ORDER BY blocked, confirmed DESC, last_seen DESC, inbox DESC OFFSET ${MAX_OF_DEVICE - 1}));
  DELETE FROM device_network WHERE ctid = ANY (ARRAY(SELECT ctid FROM device_network
    WHERE project_id = p_project AND device = p_device AND network <> p_network
    ORDER BY last_seen DESC, network DESC OFFSET ${MAX_OF_DEVICE - 1}));
  UPDATE device SET (inboxes, blocked, first_seen, last_seen) = (
      SELECT count(*), sum(blocked), min(first_seen), max(last_seen) FROM device_sighting
      WHERE project_id = p_project AND device = p_device
    ), networks = (SELECT count(*) FROM device_network WHERE project_id = p_project AND device = p_device)
    WHERE project_id = p_project AND device = p_device;
END $$;

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

-- Devices of the batch of which something is past its time are put right before anybody is judged by them.
CREATE FUNCTION postern_refresh_devices_1(p_project TEXT, p_cutoff BIGINT, p_waves TEXT[]) RETURNS VOID
LANGUAGE plpgsql AS $$
DECLARE
  v_device TEXT;
BEGIN
  FOR v_device IN
    SELECT d.device FROM (
      SELECT DISTINCT ${field('device')} AS device
      FROM unnest(p_waves) AS wave, unnest(string_to_array(wave, ${separator(REQUEST)})) AS request,
        string_to_array(request, ${separator(FIELD)}) AS f
    ) r, LATERAL (SELECT device FROM device
      WHERE project_id = p_project AND device = r.device AND oldest_seen < p_cutoff LIMIT 1) d
  LOOP
    PERFORM postern_forget_device_1(p_project, v_device, p_cutoff, NULL);
  END LOOP;
END $$;

-- Remembers and logs one wave: of each run as many requests as were admitted. Answers the histories and the lines for
-- the statistics.
CREATE FUNCTION postern_keep_wave_1(
  p_project TEXT, p_cutoff BIGINT, p_admitted BIGINT[], p_wave TEXT, OUT o_histories TEXT, OUT o_lines TEXT
) LANGUAGE plpgsql AS $$
DECLARE
  v_crowded TEXT[];
BEGIN
  -- What a request says is carried as the array f and taken out where it is used: every column of every step costs each
  -- batch time, however few requests it has.
  WITH request AS (
    SELECT f, ${field('now')}::BIGINT AS now, ${field('inbox')} AS inbox, ${field('spelling')} AS spelling,
      ${field('claimNetwork')} AS claim_network, ${field('confirmedOnly')} = '1' AS confirmed_only,
      ${field('device')} AS device, ${field('network')} AS network
    FROM (
      SELECT string_to_array(line, ${separator(FIELD)}, '') AS f
      FROM unnest(string_to_array(p_wave, ${separator(REQUEST)})) AS line OFFSET 0
    ) fields
    WHERE ${field('place')}::INT < p_admitted[${field('run')}::INT]
    OFFSET 0
  ), with_history AS MATERIALIZED (
    SELECT r.f, r.now, r.inbox, r.spelling, r.device, r.network, d.first_seen, d.last_seen,
      coalesce(d.inboxes - d.blocked, 0) AS previous,
      coalesce(d.inboxes - d.blocked, 0) - CASE WHEN s.blocked = 0 THEN 1 ELSE 0 END AS others,
      coalesce(d.blocked, 0) AS attempts, s.blocked AS was_blocked,
      coalesce(d.networks, 0) + CASE WHEN r.network IS NULL OR n.network IS NOT NULL THEN 0 ELSE 1 END AS networks,
      s.inbox IS NULL AS new_inbox, r.network IS NOT NULL AND n.network IS NULL AS new_network,
      coalesce(b.spelling <> r.spelling AND ${counts('b.last_seen', 'b.claimed_from')}, FALSE)
        OR coalesce(b.other_spelling <> r.spelling AND ${counts('b.other_seen', 'b.other_claimed_from')}, FALSE) AS reused
    FROM request r
    LEFT JOIN LATERAL (SELECT spelling, last_seen, claimed_from, other_spelling, other_seen, other_claimed_from FROM inbox
      WHERE project_id = p_project AND inbox = r.inbox LIMIT 1) b ON TRUE
    LEFT JOIN LATERAL (SELECT inboxes, blocked, networks, first_seen, last_seen FROM device
      WHERE project_id = p_project AND device = r.device LIMIT 1) d ON TRUE
    LEFT JOIN LATERAL (SELECT inbox, blocked FROM device_sighting
      WHERE project_id = p_project AND device = r.device AND inbox = r.inbox LIMIT 1) s ON TRUE
    LEFT JOIN LATERAL (SELECT network FROM device_network
      WHERE project_id = p_project AND device = r.device AND network = r.network LIMIT 1) n ON TRUE
  ), with_people AS (
    -- See countPeople. The sightings are read only if there are others.
    SELECT h.*, greatest(0, c.people - ${field('mistyped')}::BIGINT) AS people, c.confirmed AS confirmed_people,
      ${field('threshold')}::BIGINT AS threshold, ${field('common')}::BIGINT AS common
    FROM with_history h, LATERAL (
      SELECT count(DISTINCT who) FILTER (WHERE counts) AS people, count(DISTINCT who) FILTER (WHERE confirmed) AS confirmed
      FROM (
        SELECT CASE WHEN network IS NULL OR network = h.network THEN inbox ELSE network END AS who, confirmed = 1 AS confirmed,
          confirmed = 1 OR last_seen >= h.now - ${DEVICE_CLAIM_COUNTS_MS} OR coalesce(network = h.network, FALSE) AS counts
        FROM device_sighting WHERE h.others > 0 AND project_id = p_project AND device = h.device AND inbox <> h.inbox
          AND blocked = 0
      ) s
    ) c OFFSET 0
  ), with_facts AS (
    SELECT *, device IS NOT NULL AND networks < common AND people >= threshold AS over,
      device IS NOT NULL AND networks < common AND people >= threshold
        AND (${field('flagClaims')} <> '1' OR confirmed_people >= threshold) AS may_block,
      device IS NOT NULL AND others > 0 AS device_reused, device IS NOT NULL AND previous >= ${SEEN_TWICE} AS seen_twice
    FROM with_people OFFSET 0
  ), with_state AS (
    SELECT *, ${STATE_OF_HISTORY} AS state FROM with_facts OFFSET 0
  ), with_action AS (
    SELECT *, substr(${field('recommendations')}, 1 + state, 1)::INT AS action, coalesce(${field('rules')}, '') AS rules,
      coalesce(${field('lists')}, '') AS lists
    FROM with_state OFFSET 0
  ), decided AS MATERIALIZED (
    SELECT ${field('order')}::INT AS order_, ${field('live')} = '1' AS live, now, ${field('key')} AS key_id, inbox, spelling,
      CASE WHEN ${field('isClaim')} = '1' THEN coalesce(${field('claimNetwork')}, '') END AS claimed_from, device, network,
      ${field('id')} AS id, ${field('at')}::BIGINT AS at, ${field('requestId')} AS request_id, ${field('domain')} AS domain,
      ${field('shape')} AS shape, ${field('maskedIp')} AS masked_ip, ${field('country')} AS country,
      ${field('asn')}::BIGINT AS asn, ${field('details')} AS details, new_inbox, was_blocked, new_network,
      new_inbox AND previous + attempts >= ${MAX_OF_DEVICE} OR new_network AND networks > ${MAX_OF_DEVICE} AS is_crowded,
      ${ofState('rules')}, ${ofState('lists')},
      ${field('words')} || ${WORDS_OF_HISTORY} AS words,
      (ARRAY[${RECOMMENDATIONS}])[1 + action] AS recommendation, (action = ${ACTIONS.indexOf('block')})::INT AS is_block,
      CASE WHEN device IS NULL THEN '[' || reused::INT || ']'
        ELSE '[' || reused::INT || ',' || previous || ',' || others || ',' || networks || ',' || over::INT || ','
          || (networks >= common)::INT || ',' || coalesce(first_seen::TEXT, 'null') || ','
          || coalesce(last_seen::TEXT, 'null') || ',' || attempts || ',' || people || ',' || confirmed_people || ','
          || (over AND NOT may_block)::INT || ']' END AS history
    FROM with_action
  ), logged AS (
    INSERT INTO validation_log (project_id, id, at, request_id, mode, key_id, recommendation, inbox, device, domain,
      shape, network, country, asn, rules, lists, words, history, details)
    SELECT p_project, id, at, request_id, CASE WHEN live THEN 'live' ELSE 'test' END, key_id, recommendation, inbox,
      device, domain, shape, masked_ip, country, asn, rules, lists, words, history, details
    FROM decided
  ), device_kept AS (
    INSERT INTO device AS t (project_id, device, inboxes, blocked, networks, first_seen, last_seen, oldest_seen)
    SELECT p_project, device, new_inbox::INT,
      -- A new inbox that is blocked, or a blocked one that now signs up.
      CASE WHEN new_inbox THEN is_block WHEN was_blocked = 1 AND is_block = 0 THEN -1 ELSE 0 END,
      new_network::INT, now, now, now
    FROM decided WHERE live AND device IS NOT NULL
    ON CONFLICT (project_id, device) DO UPDATE SET inboxes = t.inboxes + excluded.inboxes,
      blocked = t.blocked + excluded.blocked,
      networks = t.networks + excluded.networks, first_seen = least(t.first_seen, excluded.first_seen),
      last_seen = greatest(t.last_seen, excluded.last_seen), oldest_seen = least(t.oldest_seen, excluded.oldest_seen)
  ), sighting_kept AS (
    INSERT INTO device_sighting AS t (project_id, device, inbox, first_seen, last_seen, count, blocked, confirmed, network)
    SELECT p_project, device, inbox, now, now, 1, is_block, (claimed_from IS NULL)::INT, network
    FROM decided WHERE live AND device IS NOT NULL
    ON CONFLICT (project_id, device, inbox) DO UPDATE SET last_seen = greatest(t.last_seen, excluded.last_seen),
      count = t.count + excluded.count, blocked = least(t.blocked, excluded.blocked),
      confirmed = greatest(t.confirmed, excluded.confirmed), network = coalesce(t.network, excluded.network)
  ), network_kept AS (
    INSERT INTO device_network AS t (project_id, device, network, last_seen)
    SELECT p_project, device, network, now FROM decided WHERE live AND device IS NOT NULL AND network IS NOT NULL
    ON CONFLICT (project_id, device, network) DO UPDATE SET last_seen = greatest(t.last_seen, excluded.last_seen)
  ), inbox_kept AS (
    INSERT INTO inbox AS t (project_id, inbox, spelling, claimed_from, last_seen, kept_since)
    SELECT p_project, inbox, spelling, claimed_from, now, now FROM decided WHERE live
    ON CONFLICT (project_id, inbox) DO UPDATE SET spelling = excluded.spelling,
      last_seen = greatest(t.last_seen, excluded.last_seen),
      claimed_from = CASE WHEN (t.spelling = excluded.spelling AND t.claimed_from IS NULL)
          OR (t.other_spelling = excluded.spelling AND t.other_claimed_from IS NULL)
        THEN NULL ELSE excluded.claimed_from END,
      other_spelling = CASE WHEN ${KEEPS_OTHER} THEN t.other_spelling ELSE t.spelling END,
      other_seen = CASE WHEN ${KEEPS_OTHER} THEN t.other_seen ELSE t.last_seen END,
      other_claimed_from = CASE WHEN ${KEEPS_OTHER} THEN t.other_claimed_from ELSE t.claimed_from END
  )
  SELECT string_agg('[' || order_ || ',' || history || ']', ','),
    string_agg('1 ' || ${LINE_OF_ROW}, chr(10)) FILTER (WHERE live),
    array_agg(ARRAY[device, inbox, network]) FILTER (WHERE live AND is_crowded)
  INTO o_histories, o_lines, v_crowded FROM decided;
  FOR v_row IN 1 .. coalesce(array_length(v_crowded, 1), 0) LOOP
    PERFORM postern_make_room_1(p_project, v_crowded[v_row][1], v_crowded[v_row][2], v_crowded[v_row][3]);
  END LOOP;
END $$;

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
  INSERT INTO settled_batch (project_id, batch, at, month, consumed)
    SELECT p_project, p_batch, p_now, p_month, p_consumed WHERE p_batch IS NOT NULL;
END $$;

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
    EXISTS (SELECT FROM device WHERE project_id = p_project AND oldest_seen > 0 AND oldest_seen < p_cutoff)
  INTO v_used, v_devices_due;

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

-- Replaces statistics by others that were made from them and from these changes. Does nothing if anybody else changed
-- one of them meanwhile. The rows come as [{"at", "before", "counts"}].
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
