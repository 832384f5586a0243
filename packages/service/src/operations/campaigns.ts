import { DAY_MS, HOUR_MS } from '@postern/contract';
import { csvLine } from '@postern/contract/csv';
import type {
  CampaignDetail,
  CampaignPerson,
  CampaignRequest,
  CampaignView,
} from '@postern/contract/dashboard';
import { CAMPAIGN_DAYS } from '../campaigns/update-campaigns.ts';
import { pageOf } from '../model/page.ts';
import { stepUpFigures } from '../outcomes/step-up-figures.ts';
import type { CampaignCount, CampaignRequestRow, CampaignRow } from '../store/tables/campaign-table.ts';
import { InvalidInput, NotFound, quoted } from './administration.ts';
import { findProject } from './change-project.ts';
import { acknowledgeCampaign, decideCampaign, undoDecision } from './decide-campaign.ts';
import { judgementOf } from './judgements.ts';
import { memberNames } from './member-names.ts';
import {
  csv,
  type DashboardCall,
  type DashboardHandlers,
  ok,
  queryChoice,
  queryNumber,
  queryText,
} from './operation.ts';
import { readableAddress } from './readable-domain.ts';

const MOST_LISTED = 200;
const PEOPLE = 50;
const MAX_REQUESTS = 1_000;
/** A campaign whose last person came longer ago is over. */
const UNDER_WAY_MS = 2 * HOUR_MS;

type OfCampaign = DashboardCall<'id' | 'campaignId'>;

export const campaignOperations = {
  'GET /projects/:id/campaigns': async (call) => {
    const { campaigns } = call.admin.store;
    const { id } = await findProject(call.admin, call.params.id);
    const of = queryText(call, 'of');
    const inbox = of && (await campaigns.idOf(id, of));
    const theirs = inbox && (await campaigns.find(id, inbox));
    if (theirs) return ok({ rows: await viewsOf(call, [theirs]), next: null });
    const open = queryChoice(call, 'state', ['open', 'all'] as const) === 'open';
    const limit = queryNumber(call, 'limit', 1, MOST_LISTED) ?? MOST_LISTED;
    const [lastSeen, place = ''] = queryText(call, 'after')?.split('.') ?? [];
    const after = lastSeen !== undefined && { after: { lastSeen: timeOf(lastSeen), id: place } };
    const found = await campaigns.page(id, { open, ...(after || {}) }, limit + 1);
    const page = pageOf(found, limit, (row) => `${row.lastSeen}.${row.id}`);
    const has = page.rows.filter(({ things }) => things.some(({ name }) => name === of)).slice(0, 1);
    const { rows, next } = of === undefined ? page : { rows: has, next: null };
    return ok({ rows: await viewsOf(call, rows), next });
  },
  'GET /projects/:id/campaigns/:campaignId': async (call) =>
    ok(await detailOf(call, await findCampaign(call))),
  'GET /projects/:id/campaigns/:campaignId/people': async (call) => {
    const { projectId, id } = await findCampaign(call);
    const { campaigns, log, outcomes } = call.admin.store;
    const limit = queryNumber(call, 'limit', 1, MOST_LISTED) ?? PEOPLE;
    const [at = '', inbox = ''] = (queryText(call, 'after') ?? '0').split('.');
    const found = await campaigns.peoplePage(projectId, id, { at: timeOf(at), inbox }, limit + 1);
    const { rows, next } = pageOf(found, limit, (person) => `${person.at}.${person.inbox}`);
    const inboxes = rows.map((person) => person.inbox);
    const newest = new Map((await log.ofPeople(projectId, inboxes)).map((row) => [row.inboxHash, row]));
    const known = await outcomes.findMany(projectId, inboxes);
    const people = rows.map(({ inbox: hash, at: firstSeen, lastSeen, answer, because }): CampaignPerson => {
      const row = newest.get(hash);
      return {
        ...{ inbox: hash, firstSeen, lastSeen, answer, because },
        maskedAddress: row === undefined ? null : readableAddress(row.maskedAddress),
        domain: row?.domain ?? null,
        outcome: judgementOf(known.get(hash))?.outcome ?? null,
        validation: row?.id ?? null,
      };
    });
    return ok({ rows: people, next });
  },
  'GET /projects/:id/campaigns/:campaignId/requests': async (call) => {
    const campaign = await findCampaign(call);
    const limit = queryNumber(call, 'limit', 1, MAX_REQUESTS) ?? MOST_LISTED;
    const found = await requestsOf(call, campaign, queryText(call, 'after'), limit + 1);
    const { rows, next } = pageOf(found, limit, cursorOf);
    return ok({ rows: rows.map(requestView), next });
  },
  'GET /projects/:id/campaigns/:campaignId/requests.csv': async (call) => {
    const campaign = await findCampaign(call);
    // Reads the query before anything is sent.
    queryChoice(call, 'allowed', ['true', 'false'] as const);
    return csv(`campaign-${campaign.id}`, requestLines(call, campaign));
  },
  'PATCH /projects/:id/campaigns/:campaignId': async (call) => {
    const changed = await acknowledgeCampaign(call.admin, await findCampaign(call), call.body.acknowledged);
    return ok(await viewOf(call, changed));
  },
  'POST /projects/:id/campaigns/:campaignId/decide': async (call) => {
    const campaign = await findCampaign(call);
    return ok(await viewOf(call, await decideCampaign(call.admin, campaign, call.body)));
  },
  'POST /projects/:id/campaigns/:campaignId/undo': async (call) =>
    ok(await viewOf(call, await undoDecision(call.admin, await findCampaign(call), call.body.at))),
} satisfies Partial<DashboardHandlers>;

/** The time that a cursor begins with. */
function timeOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidInput('after', 'after must be the value of next from the previous page.');
}

async function findCampaign({ admin, params }: OfCampaign): Promise<CampaignRow> {
  const { id } = await findProject(admin, params.id);
  const found = await admin.store.campaigns.find(id, params.campaignId);
  if (found === undefined)
    throw new NotFound(`There is no campaign ${quoted(params.campaignId)}. Old ones go with the log.`);
  return found;
}

async function viewOf(call: OfCampaign, row: CampaignRow): Promise<CampaignView> {
  const [view] = await viewsOf(call, [row]);
  if (view === undefined) throw new Error('A campaign has no view');
  return view;
}

async function viewsOf(call: DashboardCall<'id'>, rows: readonly CampaignRow[]): Promise<CampaignView[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const ids = rows.map(({ id }) => id);
  const counts = await call.admin.store.campaigns.counts(first.projectId, ids);
  const names = await memberNames(call);
  const now = call.admin.now();
  return rows.map((row) => {
    const { projectId: _project, badAt: _bad, mergedInto: _merged, things, decisions, ...campaign } = row;
    const own = counts.filter(({ campaignId }) => campaignId === row.id);
    const sum = (is: (count: CampaignCount) => boolean) =>
      own.filter(is).reduce((total, { people }) => total + people, 0);
    const answered = (answer: string) => sum((count) => count.answer === answer);
    return {
      ...campaign,
      underWay: row.lastSeen > now - UNDER_WAY_MS,
      people: sum(() => true),
      answers: { allow: answered('allow'), flag: answered('flag'), block: answered('block') },
      allowedBefore: sum(({ answer, early }) => answer === 'allow' && early),
      good: sum(({ judgement }) => judgement === 'good'),
      bad: sum(({ judgement }) => judgement === 'bad'),
      things: [...things],
      acknowledgedByName: names.get(row.acknowledgedBy ?? '') ?? null,
      decisions: decisions.map(({ undo: _undo, ...decision }) => ({
        ...decision,
        byName: names.get(decision.by) ?? null,
      })),
    };
  });
}

async function detailOf(call: OfCampaign, row: CampaignRow): Promise<CampaignDetail> {
  const { store, now } = call.admin;
  const view = await viewOf(call, row);
  const since = now() - CAMPAIGN_DAYS * DAY_MS;
  const good = await call.longReads(() => store.campaigns.goodPeopleWith(row.projectId, since, row.things));
  const listed = good.slice(0, PEOPLE);
  const rows = await store.log.ofPeople(row.projectId, listed);
  const masked = new Map(rows.map((each) => [each.inboxHash, readableAddress(each.maskedAddress)]));
  const shown = listed.map((inbox) => ({ inbox, maskedAddress: masked.get(inbox) ?? null }));
  const asked = await store.challenges.asked(row.projectId, { campaignId: row.id });
  return { ...view, hits: { people: good.length, listed: shown }, stepUps: stepUpFigures(asked, now()) };
}

type AllowedQuery = DashboardCall<'id' | 'campaignId', 'allowed'>;

function requestsOf(
  call: AllowedQuery,
  { projectId, id }: CampaignRow,
  after: string | undefined,
  limit: number,
): Promise<CampaignRequestRow[]> {
  const [firstSeen = '', inbox = '', rowId = ''] = (after ?? '0').split('.');
  const allowed = queryChoice(call, 'allowed', ['true', 'false'] as const) === 'true';
  const from = { firstSeen: timeOf(firstSeen), inbox, id: rowId };
  return call.admin.store.campaigns.requests(projectId, id, from, { allowed, limit });
}

const cursorOf = ({ firstSeen, inbox, id }: CampaignRequestRow) => `${firstSeen}.${inbox}.${id}`;

function requestView(row: CampaignRequestRow): CampaignRequest {
  const { inbox, requestId, at, answer, details, judgement } = row;
  const maskedAddress = readableAddress(details.maskedAddress);
  return { requestId, at, answer, maskedAddress, inbox, outcome: judgement };
}

async function* requestLines(call: AllowedQuery, campaign: CampaignRow): AsyncGenerator<string> {
  yield csvLine(['request', 'time', 'answer', 'address', 'person', 'outcome']);
  for (let after: string | undefined; ; ) {
    const rows = await call.longReads(() => requestsOf(call, campaign, after, MAX_REQUESTS));
    const lines = rows
      .map(requestView)
      .map(({ requestId, at, answer, maskedAddress, inbox, outcome }) =>
        csvLine([requestId, new Date(at).toISOString(), answer, maskedAddress, inbox, outcome ?? '']),
      );
    if (lines.length > 0) yield lines.join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < MAX_REQUESTS) return;
    after = cursorOf(last);
  }
}
