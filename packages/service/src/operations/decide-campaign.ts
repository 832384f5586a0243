import { DAY_MS } from '@postern/contract';
import type { CampaignDecisionRequest, CampaignThing, ListChange } from '@postern/contract/dashboard';
import type { Project } from '../model/project.ts';
import type { CampaignRow, StoredDecision } from '../store/tables/campaign-table.ts';
import { type Administration, InvalidInput, NotFound } from './administration.ts';
import { auditedChange } from './audited-change.ts';
import { changedMeanwhile, findProject, projectChange, wantedChange } from './change-project.ts';
import { judgedAs, judgementsOf, portions, recordPortion, takeBack } from './judgements.ts';
import { changedLists, undoOf } from './lists.ts';
import { type Change, perform } from './perform.ts';

const DEFAULT_DAYS = 30;
const MOST_DECISIONS = 50;

/** Says that a member has looked, or takes that back. */
export function acknowledgeCampaign(
  admin: Administration,
  campaign: CampaignRow,
  acknowledged: boolean,
): Promise<CampaignRow> {
  return perform(admin, async () => {
    const before = await current(admin, campaign);
    const after = acknowledged
      ? lookedAt(admin, before)
      : { ...before, acknowledgedAt: null, acknowledgedBy: null };
    return {
      write: admin.store.campaigns.decision(before, after),
      note: [
        {
          action: 'campaign.acknowledge',
          project: before.projectId,
          detail: { campaign: before.id, acknowledged },
        },
      ],
      answer: after,
    };
  });
}

/** Puts what is behind the campaign on the block list and marks its people as bad, as one change. */
export async function decideCampaign(
  admin: Administration,
  campaign: CampaignRow,
  { action, things, days = DEFAULT_DAYS, note, bad = false }: CampaignDecisionRequest,
): Promise<CampaignRow> {
  const at = admin.now();
  const chosen = action === 'none' ? [] : chosenThings(campaign, things);
  const expiresAt = action === 'none' ? null : at + days * DAY_MS;
  const label = note?.trim() || `Campaign ${campaign.id}`;
  if (action === 'none' && !bad)
    throw new InvalidInput('action', 'Nothing to do: choose block or flag, or bad: true.');
  if (action !== 'none' && chosen.length === 0)
    throw new InvalidInput(
      'things',
      'Nothing of this campaign can be put on a list. Mark its people as bad instead.',
    );
  const changes = chosen.map((value): ListChange => {
    const entry = { value, note: label, ...(expiresAt !== null && { expiresAt }) };
    return { list: 'blockList', add: action === 'flag' ? { ...entry, flag: true } : entry };
  });
  const decided = await perform(admin, async () => {
    const before = await current(admin, campaign);
    const { project, change, undo } = await listsAfter(admin, before.projectId, changes);
    const decision: StoredDecision = {
      ...{ at, by: admin.actor, action, entries: chosen, expiresAt, note: note?.trim() || null, bad, undo },
    };
    const after: CampaignRow = {
      ...lookedAt(admin, before),
      decisions: [...before.decisions, decision].slice(-MOST_DECISIONS),
      badAt: bad ? (before.badAt ?? at) : before.badAt,
    };
    return withDecision(admin, before, after, change, {
      ...{ action: 'campaign.decide', project: before.projectId },
      detail: { campaign: before.id, decision: action, bad, ...(project !== undefined && project) },
    });
  });
  if (bad) await markBad({ ...admin, now: () => at }, decided);
  return decided;
}

/** Takes the newest decision back, with its entries and its outcomes. `at`: only if it is the one of that time. */
export async function undoDecision(
  admin: Administration,
  campaign: CampaignRow,
  at?: number,
): Promise<CampaignRow> {
  const { undone, after } = await perform(admin, async () => {
    const before = await current(admin, campaign);
    const last = before.decisions.at(-1);
    if (last === undefined) throw new InvalidInput('campaignId', 'Nothing was decided about this campaign.');
    if (at !== undefined && at !== last.at) throw changedMeanwhile('The campaign');
    const decisions = before.decisions.slice(0, -1);
    const { project, change } = await listsAfter(admin, before.projectId, last.undo);
    const changed = withDecision(
      admin,
      before,
      { ...before, decisions, badAt: decisions.find(({ bad }) => bad)?.at ?? null },
      change,
      {
        ...{ action: 'campaign.undo', project: before.projectId },
        detail: {
          campaign: before.id,
          decision: last.action,
          bad: last.bad,
          ...(project !== undefined && project),
        },
      },
    );
    return { ...changed, answer: { undone: last, after: changed.answer } };
  });
  if (undone.bad) await unmark(admin, after, undone.at);
  return after;
}

async function current({ store }: Administration, { projectId, id }: CampaignRow): Promise<CampaignRow> {
  const row = await store.campaigns.find(projectId, id);
  if (row === undefined) throw new NotFound('The campaign was deleted meanwhile.');
  return row;
}

const lookedAt = ({ now, actor }: Administration, row: CampaignRow): CampaignRow => ({
  ...row,
  acknowledgedAt: row.acknowledgedAt ?? now(),
  acknowledgedBy: row.acknowledgedBy ?? actor,
});

/** The values of list entries for the things, each of which must be behind the campaign. */
function chosenThings({ things: behind }: CampaignRow, wanted: CampaignDecisionRequest['things']): string[] {
  for (const { kind, name } of wanted ?? [])
    if (!behind.some((thing) => thing.kind === kind && thing.name === name))
      throw new InvalidInput('things', `things: ${kind} ${name} is not behind this campaign.`);
  return [...new Set((wanted ?? behind).flatMap((thing) => listValueOf(thing) ?? []))];
}

/** How lists write a thing. A shape of names is on no list. */
function listValueOf({ kind, name }: Pick<CampaignThing, 'kind' | 'name'>): string | undefined {
  if (kind === 'shape') return undefined;
  return kind === 'device' ? `device:${name}` : kind === 'mailHost' ? `mx:${name}` : name;
}

interface ListsAfter {
  /** What the audit log says of it. */
  readonly project?: Record<string, unknown>;
  readonly change?: Change<unknown>;
  readonly undo: ListChange[];
}

async function listsAfter(
  admin: Administration,
  projectId: string,
  changes: readonly ListChange[],
): Promise<ListsAfter> {
  if (changes.length === 0) return { undo: [] };
  const project: Project = await findProject(admin, projectId);
  const wanted = wantedChange(admin, project, changedLists(project, changes));
  const change = await projectChange(admin, project, wanted);
  return { project: auditedChange(wanted, project), change, undo: undoOf(project, change.answer.after) };
}

/** One transaction and one entry of the audit log, whatever it changes. */
function withDecision(
  { store }: Administration,
  before: CampaignRow,
  after: CampaignRow,
  change: Change<unknown> | undefined,
  note: Change<CampaignRow>['note'][number],
): Change<CampaignRow> {
  const write = [...(change?.write ?? []), ...store.campaigns.decision(before, after)];
  return { write, note: [note], answer: after };
}

const reasonOf = ({ id }: CampaignRow) => `campaign ${id}`;

/** Those whose outcome is known keep it. */
async function markBad(admin: Administration, campaign: CampaignRow): Promise<void> {
  const { projectId, id } = campaign;
  const { store } = admin;
  for await (const members of store.campaigns.people(projectId, id)) {
    for (const some of portions(members)) {
      const rows = await store.log.ofPeople(
        projectId,
        some.map(({ inbox }) => inbox),
      );
      const newest = new Map(rows.map((row) => [row.inboxHash, row]));
      await recordPortion(admin, projectId, async () => {
        const people = [...newest.values()].map((row) => ({ newest: row, logIds: [row.id] }));
        const known = await judgementsOf(admin, projectId, people);
        const answer = people
          .filter((person) => !known.has(person.newest.inboxHash))
          .map((person) => judgedAs(admin, person, null, 'bad', reasonOf(campaign)));
        const persons = answer.map(({ person }) => person);
        return { write: store.review.judgement(projectId, persons), note: [], answer };
      });
    }
  }
}

/** Takes back what `markBad` said at that time, unless something newer is known. */
async function unmark(admin: Administration, campaign: CampaignRow, at: number): Promise<void> {
  const { projectId, id } = campaign;
  const { campaigns, outcomes, log } = admin.store;
  for await (const members of campaigns.people(projectId, id)) {
    for (const some of portions(members)) {
      const inboxes = some.map(({ inbox }) => inbox);
      const rows = await log.ofPeople(projectId, inboxes);
      const newest = new Map(rows.map((row) => [row.inboxHash, row.id]));
      const marked = [...(await outcomes.findMany(projectId, inboxes))].filter(
        ([, { judgement, reason, decidedAt }]) =>
          judgement === 'bad' && reason === reasonOf(campaign) && decidedAt === at,
      );
      const undo = marked.map(([inbox]) => ({
        inbox,
        judgement: { outcome: 'bad' as const, reason: reasonOf(campaign), at },
        previous: null,
        validations: [newest.get(inbox) ?? []].flat(),
      }));
      await takeBack(admin, projectId, undo, false);
    }
  }
}
