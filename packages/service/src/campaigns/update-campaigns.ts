import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { ACTIONS, DAY_MS } from '@postern/contract';
import type { CampaignThing } from '@postern/contract/dashboard';
import type { Store } from '../store/store.ts';
import type { CampaignPersonRow, CampaignRow } from '../store/tables/campaign-table.ts';
import { type FoundCampaign, findCampaigns } from './find-campaigns.ts';
import type { KnownCampaign } from './link-people.ts';
import { gatherPeople } from './seen-people.ts';

const NAMED = 3;
const LISTED = 50;
/** How much of a hash is enough to distinguish devices. */
const DEVICE_LENGTH = 8;

/** The data of the event `campaign.detected`: nothing names a person. */
function describeCampaign(
  { projectId, id, since, lastSeen, things, spread }: CampaignRow,
  people: readonly Pick<CampaignPersonRow, 'answer'>[],
  publicUrl: string,
): Readonly<Record<string, unknown>> {
  const answered = (answer: string) => people.filter((person) => person.answer === answer).length;
  const [allowed, flagged, blocked] = [answered('allow'), answered('flag'), answered('block')];
  const names = (kind: CampaignThing['kind']) =>
    things.flatMap((thing) => (thing.kind === kind ? [thing.name] : [])).slice(0, LISTED);
  const behind = [...names('domain'), ...names('mailHost'), ...names('network')];
  const from = behind.length === 0 ? `${spread.devices} devices` : behind.slice(0, NAMED).join(', ');
  const more = behind.length > NAMED ? ` and ${behind.length - NAMED} more` : '';
  return {
    campaign: id,
    since: new Date(since).toISOString(),
    lastSeen: new Date(lastSeen).toISOString(),
    people: people.length,
    ...{ allowed, flagged, blocked },
    domains: names('domain'),
    mailHosts: names('mailHost'),
    networks: names('network'),
    devices: names('device').map((hash) => `${hash.slice(0, DEVICE_LENGTH)}…`),
    shapes: names('shape'),
    page: `${publicUrl}/dashboard/projects/${encodeURIComponent(projectId)}/campaigns/${id}`,
    message: `Campaign in project ${projectId}: ${people.length} people belong together (${from}${more}). ${allowed} got in, ${flagged} were flagged, ${blocked} blocked.`,
  };
}

export type CampaignParts = Pick<Store, 'campaigns' | 'log' | 'outcomes' | 'events'>;

/** A campaign works for days or weeks, and the log of a busy project is long. */
export const CAMPAIGN_DAYS = 30;
const MAX_ROWS = 200_000;
/** The newest that go on. */
const MOST_KNOWN = 200;
/** The largest that are new at one time. */
const MOST_NEW = 20;
/** This many known good people, and no bad one, acquit a group. */
const GOOD_PEOPLE = 2;
/** Requests are answered in between. */
const ROWS_AT_ONCE = 2_000;
/** Requests wait for a write, so it is short. */
const STATEMENTS_AT_ONCE = 5;

interface Known extends KnownCampaign {
  readonly row: CampaignRow;
  readonly people: ReadonlyMap<string, CampaignPersonRow>;
}

/** Looks at the people of the last 30 days: campaigns grow, and new ones are noticed and reported. */
export async function updateCampaigns(
  store: CampaignParts,
  projectId: string,
  now: number,
  publicUrl = '',
): Promise<void> {
  const from = now - CAMPAIGN_DAYS * DAY_MS;
  const people = gatherPeople();
  for await (const rows of store.log.seen(projectId, from, MAX_ROWS)) {
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      people.add(rows.slice(at, at + ROWS_AT_ONCE));
      await setImmediate();
    }
  }
  const known = await knownCampaigns(store, projectId, from);
  const steps = findCampaigns(people.all(), known);
  for (let made = 0; ; ) {
    const step = steps.next();
    // Requests are answered in between.
    await setImmediate();
    if (step.done !== true) continue;
    for (const found of step.value) {
      const isNew = found.known.length === 0;
      if (isNew && (made >= MOST_NEW || (await isAcquitted(store, projectId, found)))) continue;
      if (isNew) made += 1;
      await keep(store, projectId, found, now, publicUrl);
    }
    return;
  }
}

async function knownCampaigns(store: CampaignParts, projectId: string, from: number): Promise<Known[]> {
  const rows = await store.campaigns.page(projectId, { from }, MOST_KNOWN);
  const known: Known[] = [];
  for (const row of rows.sort((one, other) => one.seenAt - other.seenAt || one.since - other.since)) {
    const people = new Map<string, CampaignPersonRow>();
    for await (const portion of store.campaigns.people(projectId, row.id))
      for (const person of portion) people.set(person.inbox, person);
    const { id, lastSeen, things, decisions } = row;
    known.push({ id, lastSeen, things, decided: decisions.length > 0, inboxes: people, row, people });
  }
  return known;
}

async function isAcquitted({ outcomes }: CampaignParts, projectId: string, { members }: FoundCampaign) {
  const found = await outcomes.findMany(
    projectId,
    members.map(({ person }) => person.inbox),
  );
  const said = [...found.values()].map(({ judgement }) => judgement);
  return said.filter((judgement) => judgement === 'good').length >= GOOD_PEOPLE && !said.includes('bad');
}

/** Writes what was found: into the oldest campaign that it goes on, of which the others become part, or as a new one. */
async function keep(
  { campaigns, events }: CampaignParts,
  projectId: string,
  found: FoundCampaign,
  now: number,
  publicUrl: string,
): Promise<void> {
  const [oldest, ...others] = found.known as readonly Known[];
  const id = oldest?.id ?? idOf(projectId, found);
  const merged = others.filter(({ decided }) => !decided);
  const elsewhere = others.filter(({ decided }) => decided);
  const rows = found.members.flatMap(({ person, because }): CampaignPersonRow[] => {
    if (elsewhere.some(({ people }) => people.has(person.inbox))) return [];
    const before = oldest?.people.get(person.inbox);
    const answer = ACTIONS[Math.min(...[person, before ?? person].map((one) => ACTIONS.indexOf(one.answer)))];
    return [
      {
        ...{ projectId, inbox: person.inbox, campaignId: id },
        at: Math.min(person.firstSeen, before?.at ?? person.firstSeen),
        lastSeen: Math.max(person.lastSeen, before?.lastSeen ?? 0),
        answer: answer ?? person.answer,
        because: before?.because ?? because,
      },
    ];
  });
  const changed = rows.filter((row) => {
    const before = oldest?.people.get(row.inbox);
    return before?.lastSeen !== row.lastSeen || before.answer !== row.answer || before.at !== row.at;
  });
  const since = Math.min(...spanOf(rows, ({ at }) => at), oldest?.row.since ?? now);
  const lastSeen = Math.max(...spanOf(rows, (row) => row.lastSeen), oldest?.row.lastSeen ?? 0);
  const row = { projectId, id, since, lastSeen, things: found.things, spread: found.spread };
  const isSame =
    changed.length === 0 &&
    merged.length === 0 &&
    JSON.stringify(oldest?.row.things) === JSON.stringify(found.things);
  if (isSame) return;
  const created: CampaignRow = {
    ...row,
    ...{ seenAt: now, acknowledgedAt: null, acknowledgedBy: null, decisions: [] },
    ...{ badAt: null, mergedInto: null },
  };
  const joining = campaigns.joining(changed);
  // The campaign is written with its first people, and told of.
  await campaigns.write([
    ...(oldest === undefined
      ? [
          campaigns.creation(created),
          ...events.addition({
            ...{ projectId, id: `campaign.detected-${id}`, type: 'campaign.detected', at: now, logId: null },
            data: describeCampaign(created, rows, publicUrl),
          }),
        ]
      : [campaigns.growth(created)]),
    ...merged.flatMap((other) => campaigns.merging(projectId, other.id, id)),
    ...joining.splice(0, STATEMENTS_AT_ONCE),
  ]);
  while (joining.length > 0) await campaigns.write(joining.splice(0, STATEMENTS_AT_ONCE));
}

/** The least and the greatest. Too many numbers are too many arguments. */
function spanOf(rows: readonly CampaignPersonRow[], of: (row: CampaignPersonRow) => number): number[] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const row of rows) [least, most] = [Math.min(least, of(row)), Math.max(most, of(row))];
  return rows.length === 0 ? [] : [least, most];
}

/** Processes that notice it at the same time give it the same ID. It names no person. */
function idOf(projectId: string, { members: [first] }: FoundCampaign): string {
  const hash = createHash('sha256').update(`${projectId} ${first?.person.inbox} ${first?.person.firstSeen}`);
  return hash.digest('hex').slice(0, 16);
}
