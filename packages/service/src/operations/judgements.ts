import { DAY_MS } from '@postern/contract';
import type { JudgementsRecorded, JudgementUndo, PersonJudgement } from '@postern/contract/dashboard';
import type { LogRow } from '../store/store.ts';
import type { JudgedPerson } from '../store/tables/judgements.ts';
import type { PersonOutcome } from '../store/tables/outcome-table.ts';
import type { NewTimelineEntry } from '../store/tables/timeline-table.ts';
import { type Administration, InvalidInput, NotFound } from './administration.ts';
import { findProject } from './change-project.ts';
import { type DashboardHandlers, ok, type RouteCall } from './operation.ts';
import { type Change, perform } from './perform.ts';
import { DAYS, ROWS_COUNTED } from './reach.ts';
import { readThings } from './read-thing.ts';

/** The most rows of one person that can be taken back together. */
export const MAX_OF_PERSON = 100;
/** How many people are written in one transaction. */
const AT_ONCE = 50;
/** As many as can be taken back together. */
const MAX_OF_THING = 1_000;
const WRONG = 'marked as wrong';

/** What the person turned out to be if the answer was wrong. */
const OUTCOME_IF_WRONG = { allow: 'bad', flag: 'good', block: 'good' } as const;

/** The newest of a person’s validations, and the IDs of all that were named. */
interface NamedPerson {
  readonly newest: LogRow;
  readonly logIds: readonly string[];
}

export const judgementOperations = {
  'POST /projects/:id/judge': async (call) => ok(await judge(call)),
  /** Gives people their earlier judgements back, unless something newer was reported. */
  'POST /projects/:id/judge/undo': async ({ admin, params, body: { undo } }) => {
    const project = await findProject(admin, params.id);
    if (undo.some(({ judgement, previous }) => previous !== null && previous.at > judgement.at))
      throw new InvalidInput('undo', 'undo must be the list that the answer to the decision had.');
    return ok({ undone: await takeBack(admin, project.id, undo) });
  },
} satisfies Partial<DashboardHandlers>;

/**
 * Records what people are, as a member says: `good`, `bad`, the opposite of what they were answered (`wrong`), or that it
 * is not known after all (`unknown`). Returns what takes it back.
 */
async function judge({
  admin,
  params,
  body,
}: RouteCall<'POST /projects/:id/judge'>): Promise<JudgementsRecorded> {
  const { outcome, reason = null } = body;
  const project = await findProject(admin, params.id);
  const people = byPerson(await rowsToJudge(admin, project.id, body));
  if (outcome === 'unknown') {
    const known = await judgementsOf(admin, project.id, people);
    const taken = people.flatMap(({ newest: { inboxHash: inbox }, logIds }) => {
      const judgement = known.get(inbox);
      return judgement === undefined ? [] : [{ inbox, judgement, previous: null, validations: logIds }];
    });
    await takeBack(admin, project.id, taken);
    return { good: 0, bad: 0, undo: [] };
  }
  const undo: JudgementUndo[] = [];
  for (const some of portions(people))
    undo.push(
      ...(await recordPortion(admin, project.id, async () => {
        const known = await judgementsOf(admin, project.id, some);
        const judged = some.map((person): JudgedAs => {
          const { inboxHash, recommendation } = person.newest;
          const said = outcome === 'wrong' ? OUTCOME_IF_WRONG[recommendation] : outcome;
          const because = reason || (outcome === 'wrong' ? WRONG : null);
          return judgedAs(admin, person, known.get(inboxHash) ?? null, said, because);
        });
        const good = judged.filter(({ person }) => person.outcome === 'good').length;
        const bad = judged.length - good;
        const detail = {
          ...(people.length === 1 && { validationId: people[0]?.newest.id }),
          ...(good > 0 && { peopleNowGood: good }),
          ...(bad > 0 && { peopleNowBad: bad }),
        };
        const persons = judged.map(({ person }) => person);
        return {
          write: admin.store.review.judgement(project.id, persons),
          note: [{ action: 'person.judge', project: project.id, detail }],
          answer: judged,
        };
      })),
    );
  const good = undo.filter(({ judgement }) => judgement.outcome === 'good').length;
  return { good, bad: undo.length - good, undo };
}

/** A person as the store records the judgement, and what takes it back. */
export interface JudgedAs {
  readonly person: JudgedPerson;
  readonly undo: JudgementUndo;
}

export function judgedAs(
  { actor, now }: Administration,
  { newest: { inboxHash: inbox, at: seenAt }, logIds }: NamedPerson,
  previous: PersonJudgement | null,
  outcome: 'good' | 'bad',
  reason: string | null,
): JudgedAs {
  // A judgement that is older than what is known already would not count.
  const at = Math.max(now(), previous?.at ?? 0);
  const eventData = decisionData(actor, at, outcome, previous);
  const validations = logIds.slice(0, MAX_OF_PERSON);
  return {
    person: {
      ...{ inbox, outcome, reason, at, seenAt, logIds: validations, eventAt: at, eventData },
      note: { decision: outcome, by: actor, at },
    },
    undo: { inbox, judgement: { outcome, reason, at }, previous, validations },
  };
}

/** Stores a judgement of some people with its notes in their timelines. */
export async function recordPortion(
  admin: Administration,
  projectId: string,
  plan: () => Promise<Change<JudgedAs[]>>,
): Promise<JudgementUndo[]> {
  const judged = await perform(admin, async () => {
    const { write, note, answer } = await plan();
    const entries = answer.map(
      ({ undo: { inbox, judgement } }): NewTimelineEntry => ({
        ...{ subject: `person:${inbox}`, at: judgement.at, actor: admin.actor },
        ...{ kind: judgement.outcome, body: judgement.reason ?? '' },
      }),
    );
    return { write: [...write, ...admin.store.timeline.addition(projectId, entries)], note, answer };
  });
  const undo = judged.map((one) => one.undo);
  await admin.store.review.mark(projectId, undo);
  return undo;
}

type TakenBack = Omit<JudgementUndo, 'validations'> & { readonly validations: readonly string[] };

/** Returns for how many people. Those about whom something newer is known keep it. `isNoted`: in the audit log. */
export async function takeBack(
  admin: Administration,
  projectId: string,
  undo: readonly TakenBack[],
  isNoted = true,
): Promise<number> {
  const { store, now, actor } = admin;
  let undone = 0;
  for (const some of portions(undo)) {
    const taken = await perform(admin, async () => {
      const outcomes = await store.outcomes.findMany(
        projectId,
        some.map(({ inbox }) => inbox),
      );
      const still = some.filter(({ inbox, judgement }) => {
        const known = outcomes.get(inbox);
        return known?.judgement === judgement.outcome && known.decidedAt === judgement.at;
      });
      const changes = still.map(({ validations, ...one }) => {
        const eventAt = Math.max(now(), one.judgement.at + 1);
        const eventData = decisionData(actor, eventAt, one.previous?.outcome ?? 'unknown', one.judgement);
        return { ...one, logIds: validations, eventAt, eventData };
      });
      const entries = still.map(
        ({ inbox, previous }): NewTimelineEntry => ({
          ...{ subject: `person:${inbox}`, at: now(), actor },
          ...{ kind: previous?.outcome ?? 'unknown', body: 'taken back' },
        }),
      );
      return {
        write: [
          ...store.review.takingBack(projectId, changes),
          ...store.timeline.addition(projectId, entries),
        ],
        note: isNoted
          ? [{ action: 'person.judge-undo', project: projectId, detail: { people: still.length } }]
          : [],
        answer: still,
      };
    });
    await store.review.mark(projectId, taken);
    undone += taken.length;
  }
  return undone;
}

/** The data of a `review.decided` event. `previous` says that it corrects an earlier decision or report. */
function decisionData(
  actor: string,
  at: number,
  decision: 'good' | 'bad' | 'unknown',
  previous: PersonJudgement | null,
): Readonly<Record<string, unknown>> {
  const corrects = previous !== null && previous.outcome !== decision;
  return {
    decision,
    ...(corrects && { previous: previous.outcome }),
    decidedBy: actor,
    decidedAt: new Date(at).toISOString(),
    message: corrects
      ? `A member corrected a decision: ${decision} instead of ${previous.outcome}.`
      : `A member marked a sign-up as ${decision}.`,
  };
}

/** The latest `good` or `bad` about each person about whom there is one. */
export async function judgementsOf(
  { store }: Administration,
  projectId: string,
  people: readonly Pick<NamedPerson, 'newest'>[],
): Promise<ReadonlyMap<string, PersonJudgement>> {
  const outcomes = await store.outcomes.findMany(
    projectId,
    people.map(({ newest }) => newest.inboxHash),
  );
  return new Map(
    [...outcomes].flatMap(([inbox, outcome]) => {
      const judgement = judgementOf(outcome);
      return judgement === null ? [] : [[inbox, judgement] as const];
    }),
  );
}

/** The latest `good` or `bad` about a person. */
export function judgementOf(outcome: PersonOutcome | undefined): PersonJudgement | null {
  if (outcome === undefined || outcome.judgement === null) return null;
  return { outcome: outcome.judgement, reason: outcome.reason, at: outcome.decidedAt ?? 0 };
}

type Judged = Pick<RouteCall<'POST /projects/:id/judge'>['body'], 'validations' | 'of'>;

/** The rows that are named, or those of everybody who came with a thing. */
async function rowsToJudge(
  admin: Administration,
  projectId: string,
  { validations, of }: Judged,
): Promise<LogRow[]> {
  if ((validations === undefined) === (of === undefined))
    throw new InvalidInput('validations', 'Name either validations or of.');
  if (of === undefined) return findRows(admin, projectId, [...new Set(validations)]);
  const { log } = admin.store;
  const monthAgo = admin.now() - DAYS * DAY_MS;
  const from = (await log.countableFrom(projectId, { from: monthAgo }, ROWS_COUNTED)) ?? monthAgo;
  const filter = { ...readThings(of.kind, of.names), from };
  const people = await log.linked(projectId, filter, 'inbox', MAX_OF_THING);
  const rows = await log.ofPeople(
    projectId,
    people.map(({ name }) => name),
  );
  const wanted = byPerson(rows).filter(({ newest }) => of.answers?.includes(newest.recommendation) ?? true);
  return wanted.flatMap(({ logIds }) => rows.filter(({ id }) => logIds.includes(id)));
}

async function findRows(admin: Administration, projectId: string, ids: readonly string[]): Promise<LogRow[]> {
  const rows = await admin.store.log.findMany(projectId, ids);
  if (rows.length < new Set(ids).size)
    throw new NotFound('One of the validations does not exist. Old ones are deleted from the log.');
  if (rows.some(({ mode }) => mode === 'test'))
    throw new InvalidInput('validations', 'Validations of test keys are not about real people.');
  return rows;
}

function byPerson(rows: readonly LogRow[]): NamedPerson[] {
  const people = new Map<string, { newest: LogRow; logIds: string[] }>();
  for (const row of [...rows].sort((one, other) => (one.id < other.id ? 1 : -1))) {
    const person = people.get(row.inboxHash) ?? { newest: row, logIds: [] };
    person.logIds.push(row.id);
    people.set(row.inboxHash, person);
  }
  return [...people.values()];
}

export function* portions<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += AT_ONCE) yield all.slice(at, at + AT_ONCE);
}
