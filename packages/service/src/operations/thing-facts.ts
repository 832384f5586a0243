import type { ThingFacts } from '@postern/contract/dashboard';
import { createCheckInput } from '../checks/check-input.ts';
import { type Checks, type RunOptions, runChecks } from '../checks/run-checks.ts';
import { parseIpAddress } from '../model/ip-address.ts';
import { isMailProvider } from '../model/mail-providers.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import type { Project } from '../model/project.ts';
import { readLoggedChecks } from '../record/json/checks-json.ts';
import type { LogRow } from '../store/store.ts';
import type { Administration } from './administration.ts';
import { judgementOf } from './judgements.ts';
import type { Thing } from './read-thing.ts';
import { readableAddress, readableDomain } from './readable-domain.ts';
import { operatorOf } from './validation-row.ts';

export interface ThingParts {
  readonly checks: Checks;
  readonly runOptions: RunOptions;
}

/** More than anyone looks at. A count that reaches it means “at least”. */
const SIGHTINGS_COUNTED = 1_000;

/** What people call it. */
export function titleOf({ kind, name, entry }: Thing, { addresses = [], operator }: ThingFacts): string {
  if (kind === 'domain') return readableDomain(name);
  if (kind === 'person') return addresses.join(', ') || 'A person without a log row';
  if (kind === 'device') return `Device ${name.slice(0, 8)}…`;
  return kind === 'asn' && operator?.name ? `${operator.name} (${entry})` : kind === 'asn' ? entry : name;
}

/** What is known besides the numbers, by the kind of thing. `rows`: its newest. */
export async function factsOf(
  parts: ThingParts,
  { store }: Administration,
  project: Project,
  { kind, name }: Thing,
  rows: readonly LogRow[],
): Promise<ThingFacts> {
  const newest = rows[0];
  if (kind === 'domain') {
    const mailHost = rows.find(({ facts }) => facts.mailHost !== '')?.facts.mailHost;
    return { mailProvider: isMailProvider(name), ...(mailHost !== undefined && { mailHost }) };
  }
  if (kind === 'mailHost') return {};
  if (kind === 'network' || kind === 'asn') return networkFacts(parts, project, kind, name, rows);
  const seen = await totalsOf(store, project.id, kind, name);
  if (kind === 'device') return { seen };
  return {
    seen,
    addresses: [...new Set(rows.map(({ maskedAddress }) => readableAddress(maskedAddress)))],
    spellings: new Set(rows.filter(({ mode }) => mode === 'live').map(({ spelling }) => spelling)).size,
    judgement: judgementOf(await store.outcomes.find(project.id, newest?.inboxHash ?? name)),
  };
}

/** How often one was seen, and with how many of the other kind. */
async function totalsOf(
  { memory }: Administration['store'],
  projectId: string,
  kind: 'person' | 'device',
  hash: string,
) {
  const read = kind === 'device' ? memory.sightingsOfDevice : memory.sightingsOfInbox;
  const rows = await read(projectId, hash, SIGHTINGS_COUNTED);
  return { times: rows.reduce((sum, { count }) => sum + count, 0), others: rows.length };
}

async function networkFacts(
  parts: ThingParts,
  project: Project,
  kind: 'network' | 'asn',
  name: string,
  rows: readonly LogRow[],
): Promise<ThingFacts> {
  const row = rows.find(({ asn }) => (kind === 'asn' ? asn === Number(name) : asn !== null));
  const looked = kind === 'network' ? await lookUp(parts, project, name) : {};
  const asn = kind === 'asn' ? Number(name) : (looked.asn ?? row?.asn);
  return {
    operator:
      asn == null ? null : { asn, name: looked.network ?? (row === undefined ? null : operatorOf(row)) },
    country: looked.country ?? row?.country ?? null,
    ipKinds: kindsOf(rows),
  };
}

interface IpFacts {
  readonly asn?: number;
  readonly network?: string;
  readonly country?: string;
}

/** What the data says about the range now, without the project’s own lists. */
async function lookUp(
  { checks, runOptions }: ThingParts,
  { policy }: Project,
  network: string,
): Promise<IpFacts> {
  const address = parseEmailAddress('someone@example.com');
  const ip = parseIpAddress(network.replace(/\/.*/, ''));
  if (address === undefined || ip === undefined) return {};
  const input = createCheckInput({ address, ip, project: { policy }, now: Date.now() }, undefined);
  const [run] = await runChecks(checks, ['ip'], input, runOptions);
  return run?.finding.metadata ?? {};
}

/** The kinds of addresses among the rows, most frequent first. Ordinary ones need no mention. */
function kindsOf(rows: readonly LogRow[]): string[] {
  const counts = new Map<string, number>();
  for (const { checksJson } of rows) {
    const kind = readLoggedChecks(checksJson).ip?.metadata?.kind;
    if (typeof kind === 'string' && kind !== 'ordinary') counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([kind]) => kind);
}
