/** Tables with a row for each member, webhook, key, file or project. Reading one as a whole costs little. */
export const SMALL_TABLES: readonly string[] = [
  'access_token',
  'account_link',
  'auth_account',
  'auth_session',
  'auth_two_factor',
  'auth_user',
  'auth_verification',
  'member',
  'onboarding_step',
  'policy_version',
  'schema_migration',
  'sdk_file',
  'secret',
  'signing_key',
  'counter',
  'step_up_vendor',
  'webhook',
];

interface WholeRead {
  /** The statement with one space between words and `?` for each value. */
  readonly statement: RegExp;
  /** Of these tables; without it, of any. */
  readonly tables?: readonly string[];
  readonly reason: string;
}

/** Statements that may read a growing table, or all that a project has in it. */
const WHOLE_READS: readonly WholeRead[] = [
  { statement: /^SELECT [^?()]+ FROM \w+( WHERE (project_id|id) = '[^']+')?$/, reason: 'an export' },
  {
    statement: /^DELETE FROM \w+( WHERE project_id = \(SELECT id FROM project .+\))?$/,
    reason: 'a project is deleted, or a store without projects emptied for an import',
  },
  {
    statement:
      /^DELETE FROM \w+ WHERE \([^?]+\) IN \(SELECT [^?]+ FROM \w+ WHERE project_id = \(SELECT id FROM project .+\) LIMIT \d+\)/,
    reason: 'a project is deleted in steps',
  },
  {
    statement: /^SELECT 1 AS one FROM project WHERE [^ ]+ IS NULL OR id = [^ ]+ LIMIT 1$/,
    reason: 'an import asks for the first project',
  },
  { statement: /^SELECT (sqlite_version|current_setting)\(/, reason: 'postern doctor counts' },
  {
    statement: /^SELECT \(SELECT seq FROM audit WHERE seq <= \? /,
    tables: ['audit'],
    reason: 'postern audit verify has read the whole chain',
  },
  { statement: /^SELECT [^?]+ FROM (project|api_key) ORDER BY /, reason: 'a list of all of them' },
  {
    statement:
      /^SELECT [^?]+ FROM \w+( WHERE project_id = \?( AND judgement IS NOT NULL)?)? ORDER BY \w+( DESC)?(, id DESC)? LIMIT (\?|\d+)$/,
    reason: 'the first rows of an index, which leaves none out',
  },
  {
    statement: /^SELECT p\.\*, \(SELECT 1 FROM device /,
    tables: ['validation_log', 'rate_bucket'],
    reason:
      'the sweep counts the newest rows of a log up to a limit, and looks for old rates every five minutes',
  },
  {
    statement: /^SELECT DISTINCT lane FROM rate_bucket /,
    reason: 'the sweep found old rates; no index has their times, and they are of an hour',
  },
  {
    statement:
      / UNION ALL SELECT at, lines, 1 FROM statistics_change WHERE project_id = \? AND at >= \? AND at < \?$/,
    tables: ['statistics_change'],
    reason: 'changes of the last minute, which are not merged yet',
  },
  {
    statement: /^SELECT project_id, at, counts FROM statistics WHERE project_id = \? AND replace\(/,
    reason: 'a domain is erased from every half hour',
  },
  {
    statement:
      /^(DELETE|SELECT [^?]+) FROM event WHERE project_id = \? AND (id IN \(SELECT id FROM event WHERE project_id = \? AND )?log_id IN \(/,
    tables: ['event'],
    reason: 'a person is erased or exported; events have no index of log rows',
  },
  {
    statement: /^(SELECT id, things FROM|UPDATE) campaign(_person)? .*replace\((things|because), \?, ''\)/,
    reason: 'a device or a domain is erased from campaigns, which are few',
  },
  {
    statement: /^UPDATE campaign SET merged_into = \? WHERE project_id = \? AND merged_into = \?$/,
    reason: 'campaigns are few',
  },
  {
    statement: /^SELECT \(SELECT max\(seq\) FROM audit\) AS newest,/,
    reason: 'the newest entry is at the end of the index',
  },
];

/** Whether the statement is listed. */
export function mayReadAll(sql: string, table: string): boolean {
  const text = sql.replaceAll(/\s+/g, ' ').replaceAll(/\$\d+/g, '?').trim();
  return WHOLE_READS.some(
    ({ statement, tables }) => statement.test(text) && (tables?.includes(table) ?? true),
  );
}
