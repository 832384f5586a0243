import { DAY_MS, type Recommendation } from '@postern/contract';
import type { RuleTest } from '@postern/contract/dashboard';
import type { Rule } from '@postern/contract/rules';
import { listsOf } from '../decision/judge.ts';
import { judgeRules } from '../decision/rules/judge-rules.ts';
import type { KeyedHash } from '../model/keyed-hash.ts';
import type { Project } from '../model/project.ts';
import { estimateOf, noCounts, sumOf } from '../outcomes/estimate.ts';
import { factsOfRow } from '../record/row-facts.ts';
import type { LogRow } from '../store/store.ts';
import { findProject } from './change-project.ts';
import { createSlices } from './in-slices.ts';
import { instanceHash } from './instance-hash.ts';
import type { RouteCall } from './operation.ts';
import { refuseMissingList } from './read-rules.ts';
import { type ReplayedRows, rowsToReplay } from './replayed-rows.ts';
import { validationRow } from './validation-row.ts';

const DEFAULT_DAYS = 30;
const EXAMPLES = 10;

/** What the condition would have matched in the project’s log. Changes nothing. */
export async function testRule({
  admin,
  params,
  body: { when, days = DEFAULT_DAYS },
  longReads,
}: RouteCall<'POST /projects/:id/rules/test'>): Promise<RuleTest> {
  const project = await findProject(admin, params.id);
  const rule: Rule = { id: 'test', name: 'Test', when, then: 'flag', mode: 'shadow' };
  refuseMissingList(rule.when, project.namedLists);
  const to = admin.now() + 1;
  const from = to - days * DAY_MS;
  const tally = createTally(project, rule, await instanceHash(admin));
  const { portions, sampled, totalOf } = await longReads(() =>
    rowsToReplay(admin.store, { projectId: project.id, from, to }),
  );
  const inSlices = createSlices();
  for await (const rows of portions) await inSlices(rows, tally.add);
  const outcomes = await admin.store.outcomes.findMany(project.id, tally.people());
  const judgements = [...outcomes.values()].map(({ judgement }) => judgement);
  const bad = judgements.filter((judgement) => judgement === 'bad').length;
  const good = judgements.filter((judgement) => judgement === 'good').length;
  return { ...tally.counts(totalOf), known: bad + good, bad, good, from, to, partial: sampled };
}

function createTally(project: Project, rule: Rule, keyedHash: KeyedHash) {
  const people = new Set<string>();
  const examples: RuleTest['examples'] = [];
  const read = noCounts();
  const answered = noCounts();
  let failed = 0;
  const rules = [rule];
  const hashInbox = (name: string) => keyedHash('inbox', name);
  return {
    people: () => [...people],
    add(row: LogRow): void {
      if (row.mode === 'test') return;
      read[row.recommendation] += 1;
      const inList = listsOf(project.namedLists, hashInbox, row.at);
      const { matching, faulty } = judgeRules(rules, factsOfRow(row), inList, row.at);
      failed += faulty.length;
      if (matching.length === 0) return;
      answered[row.recommendation] += 1;
      people.add(row.inboxHash);
      // Rows come newest first.
      if (examples.length < EXAMPLES) examples.push(validationRow(row));
    },
    counts: (totalOf: ReplayedRows['totalOf']) => {
      const sample = { read, total: totalOf(read) };
      const { count: matches, low: matchesLow, high: matchesHigh } = estimateOf(answered, sample);
      const inAnswer = (answer: Recommendation) => estimateOf({ [answer]: answered[answer] }, sample).count;
      return {
        considered: sumOf(sample.total),
        matches,
        matchesLow,
        matchesHigh,
        failed,
        answered: { allow: inAnswer('allow'), flag: inAnswer('flag'), block: inAnswer('block') },
        examples,
      };
    },
  };
}
