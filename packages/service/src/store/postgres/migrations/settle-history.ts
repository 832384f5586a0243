import { ACTIONS } from '@postern/contract';
import { MAX_OF_DEVICE } from '@postern/contract/project-fields';
import {
  CLAIM_COUNTS_MS,
  DEVICE_CLAIM_COUNTS_MS,
  HISTORY_FACTS,
  type HistoryFact,
  SEEN_TWICE,
} from '../../../model/history.ts';
import { MAX_DEVICES_LISTED } from '../../inbox-memory.ts';
import { LINE_OF_ROW } from '../../statistics/statistics-words.ts';
import { FIELD, requestField as field, REQUEST, STATE, separator } from './settle-fields.ts';

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

/** The list of an inbox’s devices with the request’s own, if it is not there yet; see `listed`. */
const DEVICES = `CASE WHEN excluded.devices = '[]' OR strpos(t.devices, trim(excluded.devices, '[]')) > 0 THEN t.devices
        WHEN json_array_length(t.devices::JSON) < ${MAX_DEVICES_LISTED} THEN (t.devices::JSONB || excluded.devices::JSONB)::TEXT
        ELSE (t.devices::JSONB - 0 || excluded.devices::JSONB)::TEXT END`;

/**
 * A device’s networks with the request’s own. For one more than is remembered, the one that was seen longest ago goes. If
 * nothing changed the value itself is kept, because a long one is stored outside the row and would be written again.
 */
const NETWORK_TIMES = `CASE WHEN excluded.network_times = '{}' THEN t.network_times
        WHEN t.networks + excluded.networks <= ${MAX_OF_DEVICE} THEN t.network_times || excluded.network_times
        ELSE t.network_times - (SELECT key FROM jsonb_each(t.network_times) ORDER BY value, key COLLATE "C" LIMIT 1)
          || excluded.network_times END`;

/** Functions of `0002-settle.ts`: what is remembered of devices and inboxes, how a request is judged by it, and its log row. */
export const HISTORY_FUNCTIONS = `
-- Drops what a device brought before a time: at most p_limit inboxes, and all such networks, which are in one row. A device
-- without an inbox goes with its networks. Returns how much that was.
CREATE FUNCTION postern_forget_device_1(p_project TEXT, p_device TEXT, p_cutoff BIGINT, p_limit BIGINT)
RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
  v_inboxes BIGINT;
  v_blocked BIGINT;
  v_networks BIGINT;
  v_times JSONB;
  v_first BIGINT;
  v_oldest BIGINT;
BEGIN
  -- By the rows' places: no other way to name them is as fast, and nobody else writes them meanwhile.
  WITH dropped AS (
    DELETE FROM device_sighting WHERE ctid = ANY (ARRAY(SELECT ctid FROM device_sighting
      WHERE project_id = p_project AND device = p_device AND last_seen < p_cutoff LIMIT p_limit))
    RETURNING blocked
  ) SELECT count(*), coalesce(sum(blocked), 0) INTO v_inboxes, v_blocked FROM dropped;
  SELECT coalesce(jsonb_object_agg(network, last_seen) FILTER (WHERE last_seen >= p_cutoff), '{}'),
    count(*) FILTER (WHERE last_seen < p_cutoff), min(last_seen) FILTER (WHERE last_seen >= p_cutoff)
  INTO v_times, v_networks, v_oldest FROM device_network WHERE project_id = p_project AND device = p_device;

  SELECT min(first_seen), least(v_oldest, min(last_seen)) INTO v_first, v_oldest
    FROM device_sighting WHERE project_id = p_project AND device = p_device;
  IF v_first IS NULL THEN
    DELETE FROM device WHERE project_id = p_project AND device = p_device;
  ELSE
    UPDATE device SET inboxes = inboxes - v_inboxes, blocked = blocked - v_blocked, networks = networks - v_networks,
      network_times = CASE WHEN v_networks = 0 THEN network_times ELSE v_times END,
      first_seen = v_first, oldest_seen = v_oldest
      WHERE project_id = p_project AND device = p_device;
  END IF;
  RETURN greatest(1, v_inboxes + v_networks);
END $$;

-- A device that brought one inbox more than is remembered loses another. One that was always blocked goes before those that
-- signed up, and one that only client keys claimed before those that a backend confirmed, so that nobody can make a device
-- forget them; otherwise the one that was seen longest ago. The request's own stays.
CREATE FUNCTION postern_make_room_1(p_project TEXT, p_device TEXT, p_inbox TEXT)
RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM device_sighting WHERE ctid = ANY (ARRAY(SELECT ctid FROM device_sighting
    WHERE project_id = p_project AND device = p_device AND inbox <> p_inbox
    ORDER BY blocked, confirmed DESC, last_seen DESC, inbox DESC OFFSET ${MAX_OF_DEVICE - 1}));
  UPDATE device SET (inboxes, blocked, first_seen, last_seen) = (
      SELECT count(*), sum(blocked), min(first_seen), max(last_seen) FROM device_sighting
      WHERE project_id = p_project AND device = p_device
    ) WHERE project_id = p_project AND device = p_device;
END $$;

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
      coalesce(d.networks, 0) + CASE WHEN r.network IS NULL OR d.network_seen IS NOT NULL THEN 0 ELSE 1 END AS networks,
      s.inbox IS NULL AS new_inbox, d.network_seen, r.network IS NOT NULL AND d.network_seen IS NULL AS new_network,
      coalesce(b.spelling <> r.spelling AND ${counts('b.last_seen', 'b.claimed_from')}, FALSE)
        OR coalesce(b.other_spelling <> r.spelling AND ${counts('b.other_seen', 'b.other_claimed_from')}, FALSE) AS reused
    FROM request r
    LEFT JOIN LATERAL (SELECT spelling, last_seen, claimed_from, other_spelling, other_seen, other_claimed_from FROM inbox
      WHERE project_id = p_project AND inbox = r.inbox LIMIT 1) b ON TRUE
    LEFT JOIN LATERAL (SELECT inboxes, blocked, networks, first_seen, last_seen,
        (network_times ->> r.network)::BIGINT AS network_seen FROM device
      WHERE project_id = p_project AND device = r.device LIMIT 1) d ON TRUE
    LEFT JOIN LATERAL (SELECT inbox, blocked FROM device_sighting
      WHERE project_id = p_project AND device = r.device AND inbox = r.inbox LIMIT 1) s ON TRUE
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
      ${field('asn')}::BIGINT AS asn, ${field('details')} AS details, new_inbox, was_blocked, network_seen, new_network,
      new_inbox AND previous + attempts >= ${MAX_OF_DEVICE} AS is_crowded,
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
    INSERT INTO device AS t (project_id, device, inboxes, blocked, networks, network_times, first_seen, last_seen, oldest_seen)
    SELECT p_project, device, new_inbox::INT,
      -- A new inbox that is blocked, or a blocked one that now signs up.
      CASE WHEN new_inbox THEN is_block WHEN was_blocked = 1 AND is_block = 0 THEN -1 ELSE 0 END,
      new_network::INT,
      -- What differs from the list that is stored.
      CASE WHEN network IS NULL OR network_seen >= now THEN '{}' ELSE jsonb_build_object(network, now) END, now, now, now
    FROM decided WHERE live AND device IS NOT NULL
    ON CONFLICT (project_id, device) DO UPDATE SET inboxes = t.inboxes + excluded.inboxes,
      blocked = t.blocked + excluded.blocked,
      networks = least(t.networks + excluded.networks, ${MAX_OF_DEVICE}), network_times = ${NETWORK_TIMES},
      first_seen = least(t.first_seen, excluded.first_seen),
      last_seen = greatest(t.last_seen, excluded.last_seen), oldest_seen = least(t.oldest_seen, excluded.oldest_seen)
  ), sighting_kept AS (
    INSERT INTO device_sighting AS t (project_id, device, inbox, first_seen, last_seen, count, blocked, confirmed, network)
    SELECT p_project, device, inbox, now, now, 1, is_block, (claimed_from IS NULL)::INT, network
    FROM decided WHERE live AND device IS NOT NULL
    ON CONFLICT (project_id, device, inbox) DO UPDATE SET last_seen = greatest(t.last_seen, excluded.last_seen),
      count = t.count + excluded.count, blocked = least(t.blocked, excluded.blocked),
      confirmed = greatest(t.confirmed, excluded.confirmed), network = coalesce(t.network, excluded.network)
  ), inbox_kept AS (
    INSERT INTO inbox AS t (project_id, inbox, spelling, claimed_from, last_seen, kept_since, devices)
    SELECT p_project, inbox, spelling, claimed_from, now, now,
      CASE WHEN device IS NULL THEN '[]' ELSE json_build_array(device)::TEXT END
    FROM decided WHERE live
    ON CONFLICT (project_id, inbox) DO UPDATE SET spelling = excluded.spelling,
      last_seen = greatest(t.last_seen, excluded.last_seen),
      claimed_from = CASE WHEN (t.spelling = excluded.spelling AND t.claimed_from IS NULL)
          OR (t.other_spelling = excluded.spelling AND t.other_claimed_from IS NULL)
        THEN NULL ELSE excluded.claimed_from END,
      other_spelling = CASE WHEN ${KEEPS_OTHER} THEN t.other_spelling ELSE t.spelling END,
      other_seen = CASE WHEN ${KEEPS_OTHER} THEN t.other_seen ELSE t.last_seen END,
      other_claimed_from = CASE WHEN ${KEEPS_OTHER} THEN t.other_claimed_from ELSE t.claimed_from END,
      devices = ${DEVICES}
  )
  SELECT string_agg('[' || order_ || ',' || history || ']', ','),
    string_agg('1 ' || ${LINE_OF_ROW}, chr(10)) FILTER (WHERE live),
    array_agg(ARRAY[device, inbox]) FILTER (WHERE live AND is_crowded)
  INTO o_histories, o_lines, v_crowded FROM decided;
  FOR v_row IN 1 .. coalesce(array_length(v_crowded, 1), 0) LOOP
    PERFORM postern_make_room_1(p_project, v_crowded[v_row][1], v_crowded[v_row][2]);
  END LOOP;
END $$;
`;
