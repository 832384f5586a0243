export interface MetricRow {
  readonly name: `postern_${string}`;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
  /**
   * How the values of several processes become one. `once`: all processes would say the same, so the one that is asked
   * answers alone.
   */
  readonly combine: 'sum' | 'min' | 'once';
}

const counter = <N extends `postern_${string}`>(
  name: N,
  labels: readonly string[],
  help: string,
): MetricRow & { readonly name: N } => ({ name, type: 'counter', labels, help, combine: 'sum' });

const gauge = <N extends `postern_${string}`>(
  name: N,
  labels: readonly string[],
  help: string,
  combine: MetricRow['combine'] = 'sum',
): MetricRow & { readonly name: N } => ({ name, type: 'gauge', labels, help, combine });

const histogram = <N extends `postern_${string}`>(
  name: N,
  labels: readonly string[],
  help: string,
): MetricRow & { readonly name: N } => ({ name, type: 'histogram', labels, help, combine: 'sum' });

/**
 * Every metric of ours. The docs are generated from this table, and a test holds the dashboard and the alert rules in
 * `deploy/` to it. Labels never name a project, a key or a person.
 */
export const METRICS = [
  gauge('postern_build_info', ['version', 'node'], 'Always 1; the labels say what runs.', 'once'),
  gauge('postern_workers', [], 'Processes that serve requests.', 'sum'),
  counter('postern_worker_restarts_total', [], 'Worker processes that ended and were replaced.'),

  gauge('postern_connections', [], 'Open connections of clients.'),
  gauge(
    'postern_max_connections',
    [],
    'How many connections may be open: the limit of file descriptors less a reserve for DNS, the database and files.',
  ),
  counter(
    'postern_connections_refused_total',
    [],
    'Connections that were closed because too many were open.',
  ),
  counter(
    'postern_resource_shortages_total',
    ['code'],
    'Sockets and files that could not be opened, by the system’s reason such as `EMFILE`.',
  ),

  counter('postern_http_requests_total', ['route', 'status'], 'Answers by route and status.'),
  histogram(
    'postern_http_request_seconds',
    ['route'],
    'Time from the request’s arrival to the end of the answer.',
  ),
  counter(
    'postern_validate_requests_total',
    ['path'],
    'Validation requests by the path that read them: `fast`, or `node` where the fast path handed over.',
  ),
  gauge('postern_validations_in_flight', [], 'Validation requests that wait for their answer.'),
  counter('postern_refusals_total', ['reason'], 'Validation requests that were refused, by reason.'),
  counter(
    'postern_rule_faults_total',
    [],
    'Rules whose evaluation failed, for example by a division by zero. Such a rule does not match.',
  ),
  counter(
    'postern_unavailable_total',
    ['reason'],
    'Validation requests answered 503: `store`, or `overload` with too many in flight.',
  ),
  counter('postern_validations_total', ['recommendation'], 'Validations by recommendation.'),
  counter('postern_checks_total', ['check', 'result'], 'Checks that ran, by result.'),
  counter('postern_check_seconds_total', ['check'], 'Time spent in each check.'),
  counter('postern_check_faults_total', ['check'], 'Checks that threw; each passed as unknown.'),
  counter('postern_verdicts_signed_total', [], 'Verdicts that were signed.'),
  gauge('postern_verdict_keys', [], 'Public keys in the published key set.', 'once'),
  counter('postern_verdict_key_reload_failures_total', [], 'Failed attempts to read the signing keys again.'),
  counter(
    'postern_outcomes_total',
    ['result'],
    'Outcomes that were reported: `recorded`, or `unknown` where nothing is known of the person.',
  ),

  counter(
    'postern_agents_total',
    ['result'],
    'Requests with a signature of Web Bot Auth: `verified`, `impostor`, or `unknown` where the operator’s keys could not be read.',
  ),
  counter(
    'postern_challenges_total',
    ['kind', 'result'],
    'Challenges of flagged people: `asked`, `not_asked` where that was not possible, `passed`, and proofs that were `wrong`.',
  ),
  counter('postern_claims_total', ['result'], 'Claims that were `granted` or `refused`.'),
  counter(
    'postern_hook_answers_total',
    ['format', 'result'],
    'Answers to sign-in servers’ hooks: the recommendation, or `open` where somebody was allowed without being judged.',
  ),
  counter(
    'postern_hook_open_total',
    ['reason'],
    'Hooks that allowed somebody without judging, by reason: `quota`, `rate`, `store`, `time` or `fault`.',
  ),

  gauge('postern_store_up', [], '0 from a failure of the store until it has worked for five seconds.', 'min'),
  histogram('postern_store_settle_seconds', [], 'Time in which the store counted a request.'),
  gauge('postern_store_pending', [], 'Requests that wait for the store to count them.'),
  counter('postern_store_failures_total', ['code'], 'Failures of the store, by SQLSTATE or other code.'),
  gauge(
    'postern_store_connections',
    ['state'],
    'PostgreSQL: connections for requests, `busy` and `idle`, and transactions `waiting` for one.',
  ),
  gauge('postern_store_bytes', [], 'Size of the database.', 'once'),
  gauge(
    'postern_store_unused_bytes',
    [],
    'SQLite: part of the database’s size that holds nothing and is used before the file grows.',
    'once',
  ),
  counter('postern_sweep_rows_total', [], 'Expired rows that were deleted.'),
  counter('postern_sweep_failures_total', [], 'Failed attempts to delete expired rows.'),
  gauge('postern_sweep_finished_timestamp_seconds', [], 'Unix time of the last completed sweep.', 'sum'),

  gauge(
    'postern_clock_ahead_seconds',
    [],
    'By how much the clock seems to run ahead, so that no expired data is deleted; 0: it is trusted.',
  ),

  gauge('postern_dns_online', [], '0 while the resolver does not know the well-known providers.', 'min'),
  counter('postern_dns_hits_total', [], 'Mail look-ups that the cache answered.'),
  counter('postern_dns_misses_total', [], 'Mail look-ups that asked a resolver.'),
  counter('postern_dns_failures_total', [], 'Mail look-ups without a usable answer.'),
  counter('postern_dns_queries_total', [], 'DNS messages that were sent.'),
  gauge('postern_dns_waiting', [], 'DNS questions that wait to be sent.'),
  gauge('postern_dns_cached_routes', [], 'Mail routes in the cache.'),

  gauge(
    'postern_data_info',
    ['list', 'version', 'origin'],
    'The data in use: 1 for each list’s version and where it came from.',
    'once',
  ),
  gauge('postern_data_age_seconds', ['list'], 'Age of the newest content of each list in use.', 'once'),
  gauge(
    'postern_feed_fetched_timestamp_seconds',
    ['source'],
    'When each source’s data in use was last known to be its newest, in Unix seconds; 0: never.',
    'once',
  ),
  gauge('postern_feed_age_seconds', ['source'], 'Age of each source’s data in use.', 'once'),
  gauge('postern_feed_entries', ['source'], 'Entries that are kept of each source.', 'once'),
  gauge('postern_feed_failures', ['source'], 'Failed attempts of each source in a row.', 'once'),
  gauge('postern_feed_compile_seconds', ['list'], 'How long each list took to compile last.', 'once'),
  gauge(
    'postern_feed_compile_memory_bytes',
    ['list'],
    'The most memory that the process held when it had compiled each list.',
    'once',
  ),
  gauge(
    'postern_feed_compile_failures',
    ['list'],
    'Failed compilations of each list in a row; above 0 the last good data is in use.',
    'once',
  ),
  counter(
    'postern_feed_refreshes_total',
    ['result'],
    'Runs that refreshed the data: `done`, `refused` where a source was refused, or `failed`.',
  ),

  counter('postern_webhook_attempts_total', ['result'], 'Attempts to deliver a webhook event, by result.'),
  gauge('postern_webhook_backlog', [], 'Deliveries that wait.', 'once'),
  gauge('postern_webhook_backlog_seconds', [], 'Age of the oldest delivery that waits.', 'once'),
  gauge('postern_audit_backlog', [], 'Audit entries that POSTERN_AUDIT_STREAM has not got yet.', 'once'),
  gauge('postern_audit_backlog_seconds', [], 'Age of the oldest audit entry that waits.', 'once'),
] as const satisfies readonly MetricRow[];

export type MetricName = (typeof METRICS)[number]['name'];

type Labelled<L extends string> = readonly [labels: Record<L, string>, value: number];

/** Declares where the values of a metric are read on each scrape. */
export type ReadAll = <L extends string>(
  name: MetricName,
  values: () => readonly Labelled<L>[] | Promise<readonly Labelled<L>[]>,
) => void;

const byName = new Map<string, MetricRow>(METRICS.map((row) => [row.name, row]));

export function metricRow(name: MetricName): MetricRow {
  const row = byName.get(name);
  if (row === undefined) throw new Error(`There is no metric ${name}`);
  return row;
}
