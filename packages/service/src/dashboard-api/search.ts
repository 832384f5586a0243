import type { SearchAnswer } from '@postern/contract/dashboard';
import { InvalidInput } from '../administration/administration.ts';
import { inboxHashes, instanceHash } from '../administration/instance-hash.ts';
import { findProject } from '../administration/projects.ts';
import { networkOf, parseIpAddress } from '../model/ip-address.ts';
import { readDomain } from '../model/list-value.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import type { Project } from '../model/project.ts';
import type { LogFilter } from '../store/tables/log-filter.ts';
import { entriesOfInbox } from './people.ts';
import { type DashboardCall, type DashboardHandlers, ok } from './route.ts';
import { search } from './validations.ts';

const MAX_LENGTH = 400;
/** How long the log is read for somebody whom nothing else knows. */
const LOG_BUDGET_MS = 100;
const HASH = /^[A-Za-z0-9_-]{22}$/;
const MAX_NETWORK_NUMBER = 2 ** 32 - 1;
const NETWORK_NUMBER = /^as ?(\d{1,10})$/i;

/** A POST, so that an address is in the body and never in a URL. */
export const searchRoutes = {
  'POST /projects/:id/search': async (call) => {
    const { text } = call.fields();
    if (typeof text !== 'string' || text.trim() === '' || text.length > MAX_LENGTH || text.includes('\0'))
      throw new InvalidInput(
        'text',
        'Enter an address, a domain, an IP address, a network number, a request ID or a device.',
      );
    const project = await findProject(call.admin, call.params.id);
    return ok(await find(call, project, text.trim()));
  },
} satisfies Partial<DashboardHandlers>;

async function find(call: DashboardCall, project: Project, text: string): Promise<SearchAnswer> {
  const projectId = project.id;
  if (text.includes('@')) return findPerson(call, project, text);
  const network = findNetwork(text);
  if (network !== undefined) return network;
  const asn = Number(NETWORK_NUMBER.exec(text)?.[1] ?? Number.NaN);
  if (asn <= MAX_NETWORK_NUMBER) return { kind: 'asn', asn };
  return (
    (await findHash(call, projectId, text)) ??
    (await findRequest(call, projectId, text)) ??
    (await findFingerprint(call, projectId, text)) ??
    findDomain(text)
  );
}

async function findPerson(call: DashboardCall, project: Project, text: string): Promise<SearchAnswer> {
  if (parseEmailAddress(text) === undefined)
    return { kind: 'nothing', message: 'This is not an email address.' };
  for (const inbox of inboxHashes(await instanceHash(call.admin), text)) {
    if (await isKnown(call, project.id, 'inbox', inbox)) return { kind: 'person', inbox };
    if ((await entriesOfInbox(call.admin, project, inbox)).length > 0) return { kind: 'person', inbox };
  }
  return { kind: 'nothing', message: 'The project has no data about this address.' };
}

/** An address or a range, as the network that the log shows: a /24 or a /48. */
function findNetwork(text: string): SearchAnswer | undefined {
  const [, address = text, length] = /^(.*)\/(\d{1,3})$/.exec(text) ?? [];
  const ip = parseIpAddress(address);
  if (ip === undefined) return undefined;
  const network = networkOf(ip);
  const [, shown] = network.split('/');
  if (length !== undefined && Number(length) < Number(shown))
    return {
      kind: 'nothing',
      message: `The log keeps networks of the size /${shown}. Enter one of them, or the AS number of the operator.`,
    };
  return { kind: 'network', network };
}

async function findHash(
  call: DashboardCall,
  projectId: string,
  text: string,
): Promise<SearchAnswer | undefined> {
  if (!HASH.test(text)) return undefined;
  if (await isKnown(call, projectId, 'device', text)) return { kind: 'device', device: text };
  if (await isKnown(call, projectId, 'inbox', text)) return { kind: 'person', inbox: text };
  return undefined;
}

async function findRequest(
  call: DashboardCall,
  projectId: string,
  requestId: string,
): Promise<SearchAnswer | undefined> {
  const row = await call.admin.store.log.findByRequest(projectId, requestId);
  return row === undefined ? undefined : { kind: 'validation', id: row.id };
}

/** A fingerprint as the SDK sent it. */
async function findFingerprint(
  call: DashboardCall,
  projectId: string,
  text: string,
): Promise<SearchAnswer | undefined> {
  const device = (await instanceHash(call.admin))('device', text);
  return (await isKnown(call, projectId, 'device', device)) ? { kind: 'device', device } : undefined;
}

function findDomain(text: string): SearchAnswer {
  const domain = readDomain(text);
  if (domain !== undefined) return { kind: 'domain', domain };
  return { kind: 'nothing', message: 'No validation, device or person was found.' };
}

async function isKnown(
  call: DashboardCall,
  projectId: string,
  kind: 'device' | 'inbox',
  hash: string,
): Promise<boolean> {
  const { memory, outcomes } = call.admin.store;
  const sightings = kind === 'device' ? memory.sightingsOfDevice : memory.sightingsOfInbox;
  if ((await sightings(projectId, hash, 1)).length > 0) return true;
  if (kind === 'inbox' && (await outcomes.knownInboxes(projectId, [hash])).size > 0) return true;
  // Only test keys’ validations, and those older than the project’s retention time, are in the log alone.
  const filter = kind === 'device' ? { deviceHash: hash } : { inboxHash: hash };
  return (await firstRow(call, projectId, filter)) !== undefined;
}

async function firstRow(
  call: DashboardCall,
  projectId: string,
  filter: LogFilter,
): Promise<string | undefined> {
  const { store, now } = call.admin;
  return (await search(store.log, projectId, filter, 1, null, now, LOG_BUDGET_MS)).rows[0]?.id;
}
