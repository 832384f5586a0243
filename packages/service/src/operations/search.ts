import { DAY_MS } from '@postern/contract';
import type { SearchAnswer } from '@postern/contract/dashboard';
import { domainToAscii } from '../model/idna.ts';
import { networkOf, parseIpAddress } from '../model/ip-address.ts';
import { readDomain } from '../model/list-value.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import type { Project } from '../model/project.ts';
import type { LogRow } from '../store/store.ts';
import type { LogFilter } from '../store/tables/log-filter.ts';
import { InvalidInput } from './administration.ts';
import { findProject } from './change-project.ts';
import { inboxHashes, instanceHash } from './instance-hash.ts';
import { entriesOfInbox } from './listed-entries.ts';
import { type DashboardCall, type DashboardHandlers, ok } from './operation.ts';
import { search } from './validations.ts';

const MAX_LENGTH = 400;
/** How long the log is read for a person whom nothing else knows. */
const LOG_BUDGET_MS = 100;
const HASH = /^[A-Za-z0-9_-]{22}$/;
/** A hash as pages shorten it, such as `Device Zk3-x_9a…` or `device:Zk3-x_9aLm…`. */
const SHORTENED_HASH = /^(?:(?:device|person|inbox)[: ] ?)?([A-Za-z0-9_-]{6,22})(?:…|\.\.\.)?$/i;
/** An address as the log shows it. */
const MASKED_ADDRESS = /^.{0,2}\*\*\*@(.+)$/u;
const ROWS_LOOKED_THROUGH = 1_000;
const MAX_PEOPLE = 20;
const MAX_OPERATORS = 20;
/** How long back operators are looked for by name. */
const OPERATOR_DAYS = 30;
const MAX_NETWORK_NUMBER = 2 ** 32 - 1;
/** How the statistics count an operator, with `_` for each space in the name. */
const OPERATOR_WORD = /^asn:(\d+)\/(.*)$/s;
const NETWORK_NUMBER = /^as ?(\d{1,10})$/i;

/** A POST, so that an address is in the body and never in a URL. */
export const searchRoutes = {
  'POST /projects/:id/search': async (call) => {
    const { text } = call.body;
    if (typeof text !== 'string' || text.trim() === '' || text.length > MAX_LENGTH || text.includes('\0'))
      throw new InvalidInput(
        'text',
        'Enter an address, a domain, an IP address, a network’s number or operator, a request ID or a device.',
      );
    const project = await findProject(call.admin, call.params.id);
    return ok(await find(call, project, text.trim()));
  },
} satisfies Partial<DashboardHandlers>;

async function find(call: DashboardCall, project: Project, text: string): Promise<SearchAnswer> {
  const projectId = project.id;
  const [, maskedDomain] = MASKED_ADDRESS.exec(text) ?? [];
  if (maskedDomain !== undefined) return findMasked(call, projectId, text, maskedDomain);
  if (text.includes('@')) return findPerson(call, project, text);
  const network = findNetwork(text);
  if (network !== undefined) return network;
  const asn = Number(NETWORK_NUMBER.exec(text)?.[1] ?? Number.NaN);
  if (asn <= MAX_NETWORK_NUMBER) return { kind: 'asn', asn };
  return (
    (await findHash(call, projectId, text)) ??
    (await findRequest(call, projectId, text)) ??
    (await findFingerprint(call, projectId, text)) ??
    (await findShortenedHash(call, projectId, text)) ??
    findDomain(text) ??
    (await findOperator(call, projectId, text)) ?? {
      kind: 'nothing',
      message: 'No validation, device, person or operator was found.',
    }
  );
}

/** Everybody among the newest validations whose address is shown like this. */
async function findMasked(
  call: DashboardCall,
  projectId: string,
  masked: string,
  domain: string,
): Promise<SearchAnswer> {
  const filter = { domain: domainToAscii(domain) ?? domain };
  const wanted = masked.toLowerCase().replace(/@.*$/s, `@${filter.domain}`);
  const rows = await newestRows(call, projectId, filter, ROWS_LOOKED_THROUGH);
  const people = new Set(
    rows.filter(({ maskedAddress }) => maskedAddress === wanted).map(({ inboxHash }) => inboxHash),
  );
  const [inbox, ...others] = people;
  if (inbox === undefined)
    return { kind: 'nothing', message: 'None of the newest validations has an address that is shown so.' };
  if (others.length === 0) return { kind: 'person', inbox };
  return { kind: 'log', filters: { inbox: [...people].slice(0, MAX_PEOPLE).join(',') } };
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

async function findShortenedHash(
  call: DashboardCall,
  projectId: string,
  text: string,
): Promise<SearchAnswer | undefined> {
  const [, start] = SHORTENED_HASH.exec(text) ?? [];
  if (start === undefined) return undefined;
  const ofDevice = await newestRows(call, projectId, { deviceStart: start }, 1);
  const device = ofDevice[0]?.deviceHash;
  if (device != null) return { kind: 'device', device };
  const [ofInbox] = await newestRows(call, projectId, { inboxStart: start }, 1);
  return ofInbox && { kind: 'person', inbox: ofInbox.inboxHash };
}

function findDomain(text: string): SearchAnswer | undefined {
  const domain = readDomain(text);
  return domain === undefined ? undefined : { kind: 'domain', domain };
}

/** The operators whose names contain the text, such as `Hetzner`. */
async function findOperator(
  { admin }: DashboardCall,
  projectId: string,
  text: string,
): Promise<SearchAnswer | undefined> {
  const wanted = text.toLowerCase();
  const numbers = new Set<number>();
  const now = admin.now();
  for await (const portion of admin.store.statistics.read(projectId, now - OPERATOR_DAYS * DAY_MS, now)) {
    for (const { counts } of portion) {
      for (const word of counts.keys()) {
        const [, asn, name = ''] = OPERATOR_WORD.exec(word) ?? [];
        if (asn !== undefined && name.toLowerCase().replaceAll('_', ' ').includes(wanted))
          numbers.add(Number(asn));
      }
    }
  }
  const [asn, ...others] = numbers;
  if (asn === undefined) return undefined;
  if (others.length === 0) return { kind: 'asn', asn };
  return { kind: 'log', filters: { asn: [...numbers].slice(0, MAX_OPERATORS).join(',') } };
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
  return (await newestRows(call, projectId, filter, 1)).length > 0;
}

async function newestRows(
  call: DashboardCall,
  projectId: string,
  filter: LogFilter,
  limit: number,
): Promise<readonly LogRow[]> {
  const { store, now } = call.admin;
  return (await search(store.log, projectId, filter, limit, null, now, LOG_BUDGET_MS)).rows;
}
