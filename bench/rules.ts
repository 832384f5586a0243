/**
 * `npm run bench -- --rules`: what rules cost a request. One service has three projects, with no rule, ten rules and a hundred,
 * and gets load for them in turns, so that other work on the machine affects all of them alike. Writes its section of
 * RESULTS.md; `--quick` runs shorter and writes nothing.
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Rule } from '@postern/contract/rules';
import { changeProject, createProject } from '../packages/service/dist/administration/projects.js';
import { judgeRules } from '../packages/service/dist/decision/rules/judge-rules.js';
import { ruleFacts } from '../packages/service/dist/decision/rules/rule-facts.js';
import { NO_FACTS } from '../packages/service/dist/model/facts-for-rules.js';
import { createKey } from '../packages/service/test/support/keys.ts';
import { resultsSection, whole } from './results.ts';
import {
  measure,
  median,
  NO_LIMIT,
  type PosternBench,
  type Row,
  type ServiceBench,
  startServiceTarget,
} from './validate-path.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '2' },
    quick: { type: 'boolean', default: false },
  },
});
const ROUNDS = values.quick ? 2 : Number(values.rounds);
const SECONDS = values.quick ? 1 : Number(values.seconds);
const COUNTS = [0, 10, 100];

/** As people write them. Two of the ten look at the history; none decides, so the answers stay the same. */
const EXPRESSIONS = [
  'email.class == "disposable" && ip.kind == "hosting"',
  'ip.country in ["AQ", "BV", "HM"]',
  'email.domain.endsWith(".example")',
  'device.reused && inbox.reused && ip.kind == "tor"',
  '"disposable_email" in signals',
  'crowd.network.hour > 2000000 || crowd.domain.hour > 100000000',
  'inList("partners", email.domain)',
  'time.hour < 0 && email.shape == "a9999"',
  '!device.known && key.type == "client"',
  'ip.asn == 64496 || ip.network.contains("Example")',
];

function rulesOf(count: number): Omit<Rule, 'changedAt' | 'changedBy'>[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `rule_${at}`,
    name: `Rule ${at}`,
    when: EXPRESSIONS[at % EXPRESSIONS.length] ?? '',
    then: 'flag',
    mode: 'live',
  }));
}

async function addProject(bench: PosternBench, count: number): Promise<ServiceBench> {
  const store = await bench.openStore();
  const admin = { store, now: Date.now, randomBytes, plans: new Map([['free', 1]]), actor: 'bench' };
  const id = `rules-${count}`;
  await createProject(admin, { id, name: id, quotaLimit: NO_LIMIT, rateServer: NO_LIMIT });
  const namedLists = { partners: [{ value: 'partner.example' }] };
  if (count > 0) await changeProject(admin, id, () => ({ namedLists, rules: rulesOf(count) }));
  const { secret } = await createKey(admin, { projectId: id, type: 'server' });
  await store.close();
  const headers = { ...bench.target.headers, authorization: `Bearer ${secret}`, 'x-project-id': id };
  return { target: { ...bench.target, headers }, close: async () => {} };
}

const EVALUATIONS = 50_000;

/** The evaluation alone, in this process: CPU µs for one request. */
function evaluationMicros(count: number): number {
  const rules = rulesOf(count) as Rule[];
  const facts = ruleFacts(
    {
      facts: NO_FACTS,
      domain: 'gmail.com',
      shape: null,
      maskedIp: '81.2.69.0/24',
      country: 'GB',
      asn: 20712,
      deviceHash: 'd',
      inboxHash: 'i',
      keyType: 'server',
      at: Date.now(),
      signals: [],
      failed: [],
    },
    { device: null, inboxReused: false },
  );
  const now = Date.now();
  const round = (times: number) => {
    for (let at = 0; at < times; at += 1) judgeRules(rules, facts, () => false, now);
  };
  round(EVALUATIONS / 5);
  const before = process.cpuUsage();
  round(EVALUATIONS);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / EVALUATIONS;
}

const results = resultsSection(
  'Rules',
  'rules',
  `SQLite, 64 connections. Medians of ${ROUNDS} slices of ${SECONDS} s, in turns. The last column is without computing the facts.`,
);
const evaluations = COUNTS.map(evaluationMicros);
const bench = await startServiceTarget();
try {
  const projects: [string, ServiceBench][] = [];
  for (const count of COUNTS) projects.push([String(count), await addProject(bench, count)]);
  const rows = new Map<string, Row[]>(projects.map(([name]) => [name, []]));
  for (const [name, { target }] of projects) await measure(name, target, 64, SECONDS);
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each project is first as often as last.
    for (const [name, { target }] of round % 2 === 0 ? projects : [...projects].reverse())
      rows.get(name)?.push(await measure(name, target, 64, SECONDS));
  }
  const without = rows.get('0') ?? [];
  results.table(
    ['rules', 'requests/s', 'CPU µs per request', 'more than without, µs', 'evaluation alone, µs'],
    [...rows].map(([name, own], at) => [
      name,
      whole(median(own.map((row) => row.perSecond))),
      whole(median(own.map((row) => row.cpuMicros))),
      whole(median(own.map((row, round) => row.cpuMicros - (without[round]?.cpuMicros ?? Number.NaN)))),
      (evaluations[at] ?? Number.NaN).toFixed(1),
    ]),
  );
} finally {
  await bench.close();
}
if (!values.quick) await results.save();
