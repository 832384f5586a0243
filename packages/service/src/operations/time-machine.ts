import { CHECK_NAMES, type CheckName, DAY_MS, type Recommendation } from '@postern/contract';
import type { RuleEffect, TimeMachineReport } from '@postern/contract/dashboard';
import type { Rule } from '@postern/contract/rules';
import type { Checks } from '../checks/run-checks.ts';
import { listsOf } from '../decision/judge.ts';
import { decidingRule } from '../decision/rules/judge-rules.ts';
import { createEffectTally } from '../outcomes/effect-tally.ts';
import { estimateOf, noCounts, type Sample, sumOf } from '../outcomes/estimate.ts';
import type { ReportSpan } from '../outcomes/known-people.ts';
import type { LogRow } from '../store/store.ts';
import type { PersonOutcome } from '../store/tables/outcome-table.ts';
import type { PastPerson } from '../store/tables/past-people.ts';
import { findProject } from './change-project.ts';
import { createChangeTally } from './change-tally.ts';
import { createSlices } from './in-slices.ts';
import { instanceHash } from './instance-hash.ts';
import {
  type ConcurrencyLimit,
  type DashboardCall,
  type DashboardHandlers,
  ok,
  type RouteCall,
} from './operation.ts';
import { changedPolicy } from './project-fields.ts';
import { refuseMissingLists, storedRule } from './read-rules.ts';
import { type Replayed, type ReplayedRow, type ReplayTerms, replay } from './replay.ts';
import { type ReplayedRows, rowsToReplay } from './replayed-rows.ts';
import { validationRow } from './validation-row.ts';

const EXAMPLES = 5;

/** Counts for each rule what it matched in a replay. */
function createRuleTally(rules: readonly Rule[]) {
  const counts = new Map(
    rules.map(({ id }) => [
      id,
      { matches: noCounts(), changed: noCounts(), people: new Set<string>(), examples: [] as LogRow[] },
    ]),
  );
  /** Counts the row for its person only. */
  const addPerson = (inbox: string, { rules: matched }: Replayed) => {
    for (const { id } of matched) counts.get(id)?.people.add(inbox);
  };
  return {
    addPerson,
    /** `today`: what the policy and the rules that are saved would answer. */
    add(row: LogRow, replayed: Replayed, today: Recommendation): void {
      addPerson(row.inboxHash, replayed);
      const decides = decidingRule(replayed.rules)?.id;
      for (const { id } of replayed.rules) {
        const count = counts.get(id);
        if (count === undefined) continue;
        count.matches[row.recommendation] += 1;
        if (id === decides && replayed.recommendation !== today) count.changed[row.recommendation] += 1;
        if (count.examples.length < EXAMPLES) count.examples.push(row);
      }
    },
    effects: (outcomes: ReadonlyMap<string, PersonOutcome>, sample: Sample): RuleEffect[] =>
      [...counts].map(([id, { matches, changed, people, examples }]) => {
        const judgements = [...people].map((inbox) => outcomes.get(inbox)?.judgement);
        return {
          id,
          matches: estimateOf(matches, sample),
          changed: estimateOf(changed, sample),
          bad: judgements.filter((judgement) => judgement === 'bad').length,
          good: judgements.filter((judgement) => judgement === 'good').length,
          examples: examples.map(validationRow),
        };
      }),
  };
}

const DEFAULT_DAYS = 30;
/** If only a sample of the log is replayed, at most this many people with a known outcome are replayed as well. */
const MAX_KNOWN = 500;
const KNOWN_AT_ONCE = 100;

export interface TimeMachineParts {
  readonly checks: Checks;
}

/** What the logged validations would have been with edits, compared with today’s policy and rules. Changes nothing. */
export const timeMachineRoutes = ({ checks }: TimeMachineParts) =>
  ({
    'POST /projects/:id/time-machine': async (call) => ok(await replayLog(call, checks)),
  }) satisfies Partial<DashboardHandlers>;

async function replayLog(
  call: RouteCall<'POST /projects/:id/time-machine'>,
  checks: Checks,
): Promise<TimeMachineReport> {
  const { admin, longReads } = call;
  const keyedHash = await instanceHash(admin);
  const { policy: edits, rules: editedRules, days = DEFAULT_DAYS } = call.body;
  const project = await findProject(admin, call.params.id);
  const policy = changedPolicy(edits ?? {}, project.policy);
  const rules = editedRules?.map(storedRule) ?? project.rules;
  refuseMissingLists(rules, project.namedLists);
  const inList = (at: number) => listsOf(project.namedLists, (name) => keyedHash('inbox', name), at);
  const to = admin.now() + 1;
  const span = { projectId: project.id, from: to - days * DAY_MS, to };

  const today = { policy: project.policy, rules: project.rules, inList };
  const tally = createTally(checks, today, { policy, rules, inList });
  const { portions, sampled, totalOf } = await longReads(() => rowsToReplay(admin.store, span));
  const inSlices = createSlices();
  let oldest: number | undefined;
  for await (const rows of oneAtATime(portions, longReads)) {
    await inSlices(rows, tally.add);
    oldest = rows.at(-1)?.at ?? oldest;
  }
  const people = sampled
    ? await replayKnown(call, span, tally, inSlices)
    : await replayPast(call, span, tally, inSlices);
  const { total, ...report } = tally.report(people.outcomes, totalOf);
  return {
    ...report,
    from: oldest ?? span.from,
    to,
    sampledFrom: sampled ? total : null,
    knownPartial: people.partial,
  };
}

interface KnownPeople {
  readonly outcomes: ReadonlyMap<string, PersonOutcome>;
  readonly partial: boolean;
}

type Slices = ReturnType<typeof createSlices>;
type PeopleTally = Pick<ReturnType<typeof createTally>, 'inboxes' | 'addKnown' | 'addPast'>;

/** The whole log was replayed. Known people whose log rows are gone are replayed as well. */
async function replayPast(
  { admin }: DashboardCall,
  { projectId, from, to }: ReportSpan,
  tally: PeopleTally,
  inSlices: Slices,
): Promise<KnownPeople> {
  const { outcomes } = admin.store;
  const judged = await outcomes.latestJudged(projectId, MAX_KNOWN);
  const past = await outcomes.pastPeople(projectId, [...judged.keys()]);
  await inSlices(
    past.filter(({ at }) => at >= from && at < to),
    tally.addPast,
  );
  return { outcomes: await outcomes.findMany(projectId, tally.inboxes()), partial: false };
}

/** A sample has few of the people whose outcome is known. They are found by themselves: the first and last row of each. */
async function replayKnown(
  { admin, longReads }: DashboardCall,
  { projectId, from, to }: ReportSpan,
  tally: PeopleTally,
  inSlices: Slices,
): Promise<KnownPeople> {
  const { outcomes, log } = admin.store;
  const people = [...(await outcomes.latestJudged(projectId, MAX_KNOWN + 1))];
  for (let at = 0; at < MAX_KNOWN && at < people.length; at += KNOWN_AT_ONCE) {
    const portion = people.slice(at, at + KNOWN_AT_ONCE).map(([inbox]) => inbox);
    const within = ({ at: seenAt }: { readonly at: number }) => seenAt >= from && seenAt < to;
    const rows = await longReads(() => log.ofPeople(projectId, portion));
    await inSlices(rows.filter(within), tally.addKnown);
    await inSlices((await outcomes.pastPeople(projectId, portion)).filter(within), tally.addPast);
  }
  return { outcomes: new Map(people.slice(0, MAX_KNOWN)), partial: people.length > MAX_KNOWN };
}

/** Reads each portion when the limit lets this reader go on. */
async function* oneAtATime<T>(portions: AsyncIterable<T>, limit: ConcurrencyLimit): AsyncGenerator<T> {
  const iterator = portions[Symbol.asyncIterator]();
  for (;;) {
    const next = await limit(() => iterator.next());
    if (next.done) return;
    yield next.value;
  }
}

function createTally(checks: Checks, today: ReplayTerms, edited: ReplayTerms) {
  const byRule = createRuleTally(edited.rules);
  const read = noCounts();
  const changes = createChangeTally();
  const unknown = new Set<CheckName>();
  const effects = { before: createEffectTally(), after: createEffectTally() };
  const isEdited = today.policy !== edited.policy || today.rules !== edited.rules;
  // Of people whose log rows are gone is known which rules matched, and that says nothing about another condition.
  const sameConditions = edited.rules.filter((rule) =>
    today.rules.some(({ id, when }) => id === rule.id && when === rule.when),
  );

  const replayBoth = (inbox: string, row: ReplayedRow | LogRow, rules = edited.rules) => {
    const after = replay(checks, row, { ...edited, rules });
    const before = isEdited ? replay(checks, row, today) : after;
    effects.before.add(inbox, before.recommendation);
    effects.after.add(inbox, after.recommendation);
    return { before: before.recommendation, after };
  };

  return {
    inboxes: effects.before.inboxes,
    /** Counts the row for its person only. */
    addKnown(row: LogRow): void {
      if (row.mode === 'test') return;
      byRule.addPerson(row.inboxHash, replayBoth(row.inboxHash, row).after);
    },
    /** The same for a person whose log rows are gone. */
    addPast(person: PastPerson): void {
      const row = { ...person, deviceHash: person.history.device && '', maskedIp: '' };
      byRule.addPerson(person.inbox, replayBoth(person.inbox, row, sameConditions).after);
    },
    add(row: LogRow): void {
      if (row.mode === 'test') return;
      const { before, after } = replayBoth(row.inboxHash, row);
      byRule.add(row, after, before);
      read[row.recommendation] += 1;
      for (const check of after.unknown) unknown.add(check);
      changes.add(row, before, after.recommendation);
    },
    report: (outcomes: ReadonlyMap<string, PersonOutcome>, totalOf: ReplayedRows['totalOf']) => {
      const sample = { read, total: totalOf(read) };
      return {
        considered: sumOf(read),
        total: sumOf(sample.total),
        ...changes.report(sample),
        unknown: CHECK_NAMES.filter((name) => unknown.has(name)),
        rules: byRule.effects(outcomes, sample),
        outcomes: { before: effects.before.effect(outcomes), after: effects.after.effect(outcomes) },
      };
    },
  };
}
