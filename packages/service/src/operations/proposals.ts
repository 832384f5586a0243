import type { RuleProposalsView } from '@postern/contract/dashboard';
import { conditionsOf } from '../outcomes/proposals/conditions-of.ts';
import { findProposals, type KnownPerson } from '../outcomes/proposals/find-proposals.ts';
import { factsOfRow } from '../record/row-facts.ts';
import type { LogRow } from '../store/store.ts';
import { findProject } from './change-project.ts';
import type { DashboardCall } from './operation.ts';

/** With more known people than this, those who were seen last stand for all. */
const MAX_KNOWN = 2_000;
const PEOPLE_AT_ONCE = 100;

/**
 * Looks for rules that single out bad people, among those whose outcome is known and whose log rows are still there.
 * A rule that the project has already is left out.
 */
export async function proposeRules({
  admin,
  params,
  longReads,
}: Pick<DashboardCall<'id'>, 'admin' | 'params' | 'longReads'>): Promise<RuleProposalsView> {
  const project = await findProject(admin, params.id);
  const { outcomes, log } = admin.store;
  const judged = await outcomes.latestJudged(project.id, MAX_KNOWN + 1);
  const inboxes = [...judged.keys()].slice(0, MAX_KNOWN);
  const people: KnownPerson[] = [];
  for (let at = 0; at < inboxes.length; at += PEOPLE_AT_ONCE) {
    const portion = new Set(inboxes.slice(at, at + PEOPLE_AT_ONCE));
    const rows = await longReads(() => log.ofPeople(project.id, [...portion]));
    for (const [inbox, own] of rowsByPerson(rows, portion))
      people.push(personOf(own, judged.get(inbox)?.judgement === 'bad'));
  }
  const { proposals, ...totals } = findProposals(people);
  const present = new Set(project.rules.map(({ when }) => when));
  return {
    ...totals,
    proposals: proposals
      .map((proposal) => ({ ...proposal, when: proposal.conditions.join(' && ') }))
      .filter(({ when }) => !present.has(when)),
    partial: judged.size > MAX_KNOWN,
  };
}

function rowsByPerson(rows: readonly LogRow[], people: ReadonlySet<string>): Map<string, LogRow[]> {
  const found = new Map<string, LogRow[]>();
  for (const row of rows) {
    if (row.mode === 'test' || !people.has(row.inboxHash)) continue;
    found.set(row.inboxHash, [...(found.get(row.inboxHash) ?? []), row]);
  }
  return found;
}

/** A rule stops a person only if it matches each time, so a condition counts if it held each time. */
function personOf(rows: readonly LogRow[], bad: boolean): KnownPerson {
  const [first = [], ...others] = rows.map((row) => conditionsOf(factsOfRow(row)));
  return {
    at: Math.max(...rows.map(({ at }) => at)),
    bad,
    blocked: rows.every(({ recommendation }) => recommendation === 'block'),
    conditions: first.filter((condition) => others.every((each) => each.includes(condition))),
  };
}
