type BackEnd = 'sqlite' | 'postgres';

/**
 * Fills empty statistics from the log, and from the hourly counts where the log has forgotten or never knew. It is part
 * of migrations that landed, so it never changes.
 *
 * The log has no class of the domain and no steps of latency: a domain counts as free if the log names its provider,
 * and latencies are counted by powers of two. What only the hourly counts know is counted as `bare`: a recommendation
 * without the rest.
 */
export function fillFromLog(backEnd: BackEnd): readonly string[] {
  return [validations(backEnd), olderCounts(backEnd), verdicts, signUps];
}

const FIND = { sqlite: 'instr', postgres: 'strpos' } as const;
const SLOT = 1_800_000;
const HOUR = 3_600_000;
const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';
const IS_LIVE = "marks NOT LIKE ' mode:test %'";

/** The time with which an ID begins, in base 36. */
function timeOfId(backEnd: BackEnd): string {
  const find = FIND[backEnd];
  const digits = Array.from(
    { length: 9 },
    (_, place) => `(${find}('${DIGITS}', substr(id, ${place + 1}, 1)) - 1) * ${36 ** (8 - place)}`,
  );
  return `(${digits.join(' + ')})`;
}

/** The step for each power of two from 1/16 ms on; see statistics-words.ts. */
function latencyStep(latency: string): string {
  const steps = Array.from(
    { length: 20 },
    (_, power) => `WHEN ${latency} < ${(Math.SQRT2 * 2 ** power) / 16} THEN ${power * 4}`,
  );
  return `CASE ${steps.join(' ')} ELSE 80 END`;
}

const CHECKS = ['syntax', 'disposable', 'mx', 'roleEmail', 'alias', 'device', 'ip'];
const LONGEST = 64;

/** The text between two others in the facts, or NULL. A number ends with the object that it is in. */
function factText(backEnd: BackEnd, start: string, end: '"' | ','): string {
  if (backEnd === 'postgres') {
    // Searches bytes. The functions that give positions count the characters before them.
    return `nullif(split_part(split_part(split_part(facts, '${start}', 2), '${end}', 1), '}', 1), '')`;
  }
  const rest = `replace(substr(facts, instr(facts, '${start}') + ${start.length}, ${LONGEST}), '}', ',')`;
  return `CASE WHEN instr(facts, '${start}') > 0 THEN substr(${rest}, 1, instr(${rest} || '${end}', '${end}') - 1) END`;
}

function hasText(backEnd: BackEnd, text: string): string {
  return backEnd === 'postgres' ? `split_part(facts, '${text}', 2) <> ''` : `instr(facts, '${text}') > 0`;
}

/**
 * What the words are made of, found as text: reading the JSON would take several times as long. The barrier keeps the
 * planner from repeating it.
 */
function factsOfRows(backEnd: BackEnd): string {
  const fact = (start: string, end: '"' | ',') => factText(backEnd, start, end);
  const ran = CHECKS.map(
    (check) => `CASE WHEN ${hasText(backEnd, `"${check}":{"pass":`)} THEN ',${check}' ELSE '' END`,
  );
  return `SELECT id AS log_id, recommendation, marks,
        CASE WHEN ${hasText(backEnd, '"provider":')} THEN 1 ELSE 0 END AS provider,
        substr(${ran.join(' || ')}, 2) AS ran, ${fact('"keyId":"', '"')} AS key_id,
        CAST(${fact('"latencyMs":', ',')} AS DOUBLE PRECISION) AS latency, ${fact('"country":"', '"')} AS country,
        ${fact('"asn":', ',')} AS asn, replace(coalesce(${fact('"network":"', '"')}, ''), ' ', '_') AS network
      FROM validation_log v
      WHERE v.project_id = s.project_id AND v.id >= s.first_id AND v.id <= s.last_id AND ${IS_LIVE}
      ${BARRIER[backEnd]}`;
}

const BARRIER = { sqlite: 'LIMIT -1 OFFSET 0', postgres: 'OFFSET 0' } as const;

/** The words of a log row, with spaces between them. */
function lineOfRow(): string {
  const has = (signal: string) => `marks LIKE '% signal:${signal} %'`;
  const domainClass = `CASE WHEN ${has('disposable_email')} OR ${has('disposable_mx')} THEN 'disposable'
    WHEN ${has('relay_email')} THEN 'relay' WHEN provider > 0 THEN 'free' ELSE 'business' END`;
  return `recommendation || marks || 'class:' || ${domainClass} || ' ran:' || ran
    || ' key:' || coalesce(key_id, '') || ' ms:' || ${latencyStep('latency')}
    || coalesce(' country:' || country, '') || coalesce(' asn:' || asn || '/' || network, '')`;
}

/** Half hour by half hour, so that a large log needs little memory. */
function validations(backEnd: BackEnd): string {
  const [split, newline, join] =
    backEnd === 'sqlite'
      ? ["json_each('[' || replace(json_quote(line), ' ', '\",\"') || ']')", 'char(10)', 'group_concat']
      : ["unnest(string_to_array(line, ' ')) AS split (value)", 'chr(10)', 'string_agg'];
  const kinds = ['domain', 'class', 'country', 'asn', 'key'].map((kind) => `word LIKE '${kind}:%'`);
  return `INSERT INTO statistics_change (project_id, id, at, lines)
SELECT s.project_id, '0fill-' || s.slot, s.slot, (
  SELECT ${join}(number || ' ' || word || CASE WHEN blocked > 0 AND (${kinds.join(' OR ')})
    THEN ${newline} || blocked || ' !' || word ELSE '' END, ${newline})
  FROM (
    SELECT value AS word, count(DISTINCT log_id) AS number,
      count(DISTINCT CASE WHEN recommendation = 'block' THEN log_id END) AS blocked
    FROM (SELECT log_id, recommendation, ${lineOfRow()} AS line FROM (
      ${factsOfRows(backEnd)}
    ) facts_of_rows) rows, ${split}
    WHERE value <> '' AND value NOT LIKE 'mode:%' AND value NOT LIKE 'inbox:%' AND value NOT LIKE 'device:%'
    GROUP BY value
  ) words
) FROM (
  SELECT project_id, slot, min(id) AS first_id, max(id) AS last_id FROM (
    SELECT project_id, id, ${timeOfId(backEnd)} / ${SLOT} * ${SLOT} AS slot FROM validation_log WHERE ${IS_LIVE}
  ) ids GROUP BY project_id, slot
) s`;
}

function olderCounts(backEnd: BackEnd): string {
  return `INSERT INTO statistics_change (project_id, id, at, lines)
SELECT u.project_id, '0usage-' || u.hour || '-' || u.kind, u.hour, (u.count - coalesce(l.logged, 0)) || ' ' || u.kind
  || CASE WHEN u.kind IN ('allow', 'flag', 'block') THEN ' bare' ELSE '' END
FROM usage_hour u LEFT JOIN (
  SELECT project_id, hour, recommendation, count(*) AS logged FROM (
    SELECT project_id, ${timeOfId(backEnd)} / ${HOUR} * ${HOUR} AS hour, recommendation
    FROM validation_log WHERE ${IS_LIVE}
  ) rows GROUP BY project_id, hour, recommendation
) l ON l.project_id = u.project_id AND l.hour = u.hour AND l.recommendation = u.kind
WHERE u.count > coalesce(l.logged, 0)`;
}

const verdicts = `INSERT INTO statistics_change (project_id, id, at, lines)
SELECT project_id, '0verdict-' || slot || '-' || verdict, slot, count(*) || ' outcome:' || verdict
FROM (SELECT project_id, verdict, decided_at / ${SLOT} * ${SLOT} AS slot FROM outcome WHERE verdict IS NOT NULL) o
GROUP BY project_id, slot, verdict`;

const signUps = `INSERT INTO statistics_change (project_id, id, at, lines)
SELECT project_id, '0accepted-' || slot, slot, count(*) || ' outcome:accepted'
FROM (SELECT project_id, accepted_at / ${SLOT} * ${SLOT} AS slot FROM outcome WHERE accepted_at IS NOT NULL) o
GROUP BY project_id, slot`;
