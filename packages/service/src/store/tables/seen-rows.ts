import type { Recommendation } from '@postern/contract';
import type { CrowdThing } from '@postern/contract/rules';
import { BoundedMap } from '../../model/bounded-map.ts';
import type { SeenRow } from '../../model/seen-row.ts';
import { integer, text, textOrNull } from '../columns.ts';
import { type Database, statement } from '../database.ts';
import type { Dialect } from '../migrations/dialect.ts';
import { timeOfId, timePrefix } from '../timed-id.ts';

const ROWS_AT_ONCE = 10_000;
const LAST = '~';
const ANSWERS: Readonly<Record<string, Recommendation>> = { a: 'allow', f: 'flag', b: 'block' };

/**
 * The newest live rows since that time, at most `limit`, in portions, the newest portion first. A portion comes from the
 * database as one text: reading a hundred thousand rows one by one takes four times as long.
 */
export async function* seenRows(
  database: Database,
  dialect: Dialect,
  projectId: string,
  from: number,
  limit: number,
): AsyncGenerator<readonly SeenRow[]> {
  const portion = async (before: string, left: number) => {
    const wanted = Math.min(ROWS_AT_ONCE, left);
    const sql = portionOf(dialect, wanted);
    const [row] = await database.browse(statement(sql, projectId, timePrefix(from), before));
    const count = row === undefined ? 0 : integer(row, 'number');
    return { count, isLast: count < wanted, row };
  };
  const readLine = lineReader();
  let left = limit;
  let next = portion(LAST, left);
  for (;;) {
    const { count, isLast, row } = await next;
    left -= count;
    const lines = (row && textOrNull(row, 'lines')) ?? '';
    const goesOn = row !== undefined && !isLast && left > 0;
    // The next portion is read while the caller looks at this one.
    if (goesOn) next = portion(text(row, 'oldest'), left);
    next.catch(() => {});
    if (lines !== '') yield lines.split('\n').map(readLine);
    if (!goesOn) return;
  }
}

/** Each with the words of the log that say so. `device`: over the project’s threshold, or a crowd’s. */
const ACCUSATIONS: readonly (readonly [CrowdThing, string])[] = [
  ['domain', 'signal:domain_crowd'],
  ['mailHost', 'signal:mail_host_crowd'],
  ['network', 'signal:network_crowd'],
  ['device', 'check:device'],
];

/** Only a domain comes from outside as it is, so only there could a separator be. JSON has none. */
function portionOf(dialect: Dialect, rows: number): string {
  const isSqlite = dialect === 'sqlite';
  const [join, character, find] = isSqlite
    ? ['group_concat', 'char', 'instr']
    : ['string_agg', 'chr', 'strpos'];
  const domain = `replace(replace(domain, ${character}(9), ' '), ${character}(10), ' ')`;
  const fields = [
    'substr(id, 1, 9)',
    'inbox',
    "coalesce(device, '')",
    "coalesce(network, '')",
    "coalesce(shape, '')",
    'substr(recommendation, 1, 1)',
    ACCUSATIONS.map(
      ([, word], index) => `CASE WHEN ${find}(words, ' ${word} ') > 0 THEN '${index}' ELSE '' END`,
    ).join(' || '),
    "CASE WHEN lists LIKE '%list:allow:%' THEN 'a' WHEN lists LIKE '%list:block:%' THEN 'b' ELSE '' END",
    isSqlite ? "json_extract(details, '$.facts')" : "(details::json ->> 'facts')",
    domain,
  ];
  return `SELECT count(*) AS number, min(id) AS oldest, ${join}(line, ${character}(10)) AS lines FROM (
    SELECT id, ${fields.join(` || ${character}(9) || `)} AS line FROM validation_log
    WHERE project_id = ? AND id >= ? AND id < ? AND mode = 'live' ORDER BY id DESC LIMIT ${rows}) AS newest`;
}

const MAX_READ = 10_000;

/** Most people have the same facts and accusations as others, so each text is read once. */
function lineReader(): (line: string) => SeenRow {
  const facts = new BoundedMap<string, SeenRow['facts']>(MAX_READ);
  const readFacts = (text: string) => {
    const known = facts.get(text) ?? (JSON.parse(text) as SeenRow['facts']);
    facts.set(text, known);
    return known;
  };
  return (line) => {
    const [time = '', inbox = '', device = '', network = '', shape = '', answer = '', ...rest] =
      line.split('\t');
    const [accused = '', listed = '', factsText = '{}', domain = ''] = rest;
    const own = ANSWERS[listed];
    return {
      at: timeOfId(time),
      inbox,
      device: device === '' ? null : device,
      network: network === '' ? null : network,
      shape: shape === '' ? null : shape,
      recommendation: ANSWERS[answer] ?? 'allow',
      accused:
        accused === '' ? NO_THINGS : [...accused].flatMap((index) => ACCUSATIONS[Number(index)]?.[0] ?? []),
      listed: own === 'allow' || own === 'block' ? own : null,
      facts: readFacts(factsText),
      domain,
    };
  };
}

const NO_THINGS: readonly CrowdThing[] = [];
