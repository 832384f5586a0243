import type { NetworkView } from '@postern/contract/dashboard';
import { InvalidInput } from '../administration/administration.ts';
import { findProject } from '../administration/projects.ts';
import { createCheckInput } from '../checks/check-input.ts';
import { type Checks, type RunOptions, runChecks } from '../checks/run-checks.ts';
import { type Cidr, cidrText, parseCidr } from '../model/cidr.ts';
import { networkOf } from '../model/ip-address.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import type { Project } from '../model/project.ts';
import { readLoggedChecks } from '../record/json/checks-json.ts';
import type { LogRow } from '../store/store.ts';
import { listedEntries } from './listed-entries.ts';
import { type DashboardCall, type DashboardHandlers, ok, queryNumber, queryText } from './operation.ts';
import { overlaps } from './reach.ts';
import { countedFigures, loggedFigures } from './share-figures.ts';
import { spanOf, type TimeSpan } from './time-span.ts';
import { validationRow } from './validation-row.ts';
import { PAGE_BUDGET_MS, search } from './validations.ts';

export interface NetworkParts {
  readonly checks: Checks;
  readonly runOptions: RunOptions;
}

const ROWS_SHOWN = 50;
const RANGES_SHOWN = 20;
/** A range is counted from the log, up to this many rows. */
const ROWS_COUNTED = 3_000;

/** One network: an operator’s, by its number, or one range of addresses as the log shows it. */
export function networkRoutes(parts: NetworkParts) {
  return {
    'GET /projects/:id/network': async (call) => {
      const project = await findProject(call.admin, call.params.id);
      const asn = queryNumber(call, 'asn', 0, 2 ** 32 - 1);
      const range = asn === undefined ? rangeOf(call) : undefined;
      const span = spanOf(call, call.admin.now());
      if (range !== undefined) return ok(await rangeView(parts, call, project, range, span));
      if (asn === undefined) throw new InvalidInput('network', 'Name a network or an asn.');
      return ok(await operatorView(call, project, asn, span));
    },
  } satisfies Partial<DashboardHandlers>;
}

/** The range as the log has it: a /24 or a /48. */
function rangeOf(call: DashboardCall<never, 'network'>): Cidr | undefined {
  const text = queryText(call, 'network');
  if (text === undefined) return undefined;
  const asked = parseCidr(text);
  const range = asked && parseCidr(networkOf(asked.base));
  if (range === undefined)
    throw new InvalidInput('network', 'network must be an IP address or a range such as 203.0.113.0/24.');
  return range;
}

async function operatorView(
  call: DashboardCall,
  project: Project,
  asn: number,
  span: TimeSpan,
): Promise<NetworkView> {
  const { store, now } = call.admin;
  const { from, to } = span;
  const prefix = `asn:${asn}/`;
  let counted: string | undefined;
  const isWord = (word: string) => {
    if (!word.startsWith(prefix)) return false;
    counted = word.slice(prefix.length).replaceAll('_', ' ');
    return true;
  };
  const [figures, found] = await Promise.all([
    countedFigures(store.statistics.read(project.id, span.previous.from, to), span, 'asn', isWord),
    search(store.log, project.id, { asn, mode: 'live', from, to }, ROWS_COUNTED, null, now, PAGE_BUDGET_MS),
  ]);
  const seen = found.rows.map(ipFacts).find((facts) => facts.asn === asn);
  return {
    network: null,
    asn,
    // The statistics are kept longer than the log.
    name: seen?.network ?? (counted || null),
    country: seen?.country ?? null,
    kinds: kindsOf(found.rows),
    figures,
    counted: 'statistics',
    ranges: rangesOf(found.rows),
    ...shownRows(found.rows, found.next),
    listed: listedEntries(project, (value) => value === `AS${asn}`),
  };
}

async function rangeView(
  parts: NetworkParts,
  call: DashboardCall,
  project: Project,
  range: Cidr,
  span: TimeSpan,
): Promise<NetworkView> {
  const { store, now } = call.admin;
  const network = cidrText(range);
  const filter = { network, mode: 'live', from: span.from, to: span.to } as const;
  const [found, looked] = await Promise.all([
    search(store.log, project.id, filter, ROWS_COUNTED, null, now, PAGE_BUDGET_MS),
    lookUp(parts, project, range, now()),
  ]);
  const { rows } = found;
  const facts = looked.asn === undefined ? (rows.map(ipFacts)[0] ?? looked) : looked;
  return {
    network,
    asn: facts.asn ?? null,
    name: facts.network ?? null,
    country: facts.country ?? null,
    kinds: kindsOf(rows),
    figures: loggedFigures(rows, span, found.next === null),
    counted: 'log',
    ranges: [],
    ...shownRows(rows, found.next),
    listed: listedEntries(project, (value) => overlaps(value, range) || value === `AS${facts.asn}`),
  };
}

function shownRows(rows: readonly LogRow[], next: string | null) {
  return {
    validations: rows.slice(0, ROWS_SHOWN).map(validationRow),
    more: rows.length > ROWS_SHOWN || next !== null,
  };
}

interface IpFacts {
  readonly asn?: number;
  readonly network?: string;
  readonly country?: string;
  readonly kind?: string;
}

/** What the IP check found about the address of a validation. */
function ipFacts({ checksJson }: LogRow): IpFacts {
  return readLoggedChecks(checksJson).ip?.metadata ?? {};
}

/** What the data says about the range now, without the project’s own lists. */
async function lookUp(
  { checks, runOptions }: NetworkParts,
  { policy }: Project,
  range: Cidr,
  now: number,
): Promise<IpFacts> {
  const address = parseEmailAddress('someone@example.com');
  if (address === undefined) return {};
  const project = { policy };
  const input = createCheckInput({ address, ip: range.base, project, now }, undefined);
  const [run] = await runChecks(checks, ['ip'], input, runOptions);
  return run?.finding.metadata ?? {};
}

/** The kinds of addresses among the rows, most frequent first. Ordinary ones need no mention. */
function kindsOf(rows: readonly LogRow[]): string[] {
  const counts = new Map<string, number>();
  for (const { kind } of rows.map(ipFacts))
    if (kind !== undefined && kind !== 'ordinary') counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([kind]) => kind);
}

function rangesOf(rows: readonly LogRow[]): NetworkView['ranges'] {
  const ranges = new Map<string, NetworkView['ranges'][number]>();
  for (const { maskedIp, recommendation, at } of rows) {
    if (maskedIp === null) continue;
    const range = ranges.get(maskedIp) ?? { network: maskedIp, count: 0, blocked: 0, lastAt: at };
    ranges.set(maskedIp, range);
    range.count += 1;
    if (recommendation === 'block') range.blocked += 1;
  }
  return [...ranges.values()].sort((one, other) => other.count - one.count).slice(0, RANGES_SHOWN);
}
