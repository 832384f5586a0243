import { CHECK_NAMES } from '@postern/contract';
import type { Rule } from '@postern/contract/rules';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChecks } from '../dist/open-checks.js';
import { createCheckInput } from '../src/checks/check-input.ts';
import { runChecks } from '../src/checks/run-checks.ts';
import { readConfig } from '../src/config.ts';
import { listsOf } from '../src/decision/judge.ts';
import { parseIpAddress } from '../src/model/ip-address.ts';
import { createKeyedHash } from '../src/model/keyed-hash.ts';
import type { MailRoute } from '../src/model/mail-route.ts';
import { parseEmailAddress } from '../src/model/parse-email-address.ts';
import { replay } from '../src/operations/replay.ts';
import { prepareRecord } from '../src/record/prepare-record.ts';
import { type Store, StoreUnavailable } from '../src/store/store.ts';
import { hashSecret } from '../src/store/tables/instance-table.ts';
import { startDnsServer } from './support/dns-server.ts';
import { sharedPostgresServer } from './support/postgres.ts';
import { KNOWN_MAIL } from './support/service.ts';
import { BACK_ENDS } from './support/service-on.ts';
import { sqliteDatabase } from './support/sqlite-database.ts';
import {
  admitted,
  DAY,
  makeCaller,
  START,
  submissionOf,
  type TestDatabase,
  updateProject,
} from './support/store-fixtures.ts';

const VALIDATIONS = 20_000;
const AT_ONCE = 100;
/** Nine days, so that every hour and weekday is among them. */
const SPAN_MS = 9 * DAY;
/** What comes at once comes at the same time, as in life. PostgreSQL writes requests of different seconds one by one. */
const momentOf = (index: number) => START + Math.floor(index / AT_ONCE) * ((SPAN_MS * AT_ONCE) / VALIDATIONS);

const rule = (id: string, when: string, then: Rule['then'], mode: Rule['mode'] = 'live'): Rule => ({
  ...{ id, name: id, when, then, mode },
});
const RULES: readonly Rule[] = [
  rule('listed', 'inList("friends", email.domain) && time.weekday < 6', 'allow'),
  rule('night', 'ip.kind == "hosting" && (time.hour >= 22 || time.hour < 5)', 'block'),
  rule('again', 'device.reused && email.class == "free" && !inbox.reused', 'flag'),
  rule('many', 'device.overThreshold', 'block'),
  rule('shape', 'email.shape == "a99" && ip.country in ["US", "GB"]', 'flag'),
  rule('inbox', 'inbox.reused && "alias_reuse" in signals', 'flag'),
  rule('failed', 'size(failed) >= 2 || failed.exists(name, name == "roleEmail")', 'block'),
  rule('fails', '1000000000 / ip.asn > 0', 'block'),
  rule('ended', 'email.role', 'allow'),
  rule('shadow', '!device.known || signals.exists(s, s.startsWith("device_"))', 'block', 'shadow'),
  rule('rest', 'email.tld == "net" && key.type == "server"', 'flag', 'shadow'),
].map((each) => (each.id === 'ended' ? { ...each, expiresAt: START + SPAN_MS / 2 } : each));
const NAMED = { friends: [{ value: 'mail-house.net' }] };

const NAMES = ['jane', 'ab12', 'billing', 'sam.rivera', 'lee+shop', 'x77', 'noreply', 'kim'];
const DOMAINS = ['gmail.com', 'outlook.com', 'mail-house.net', 'mailinator.com'];
const NETWORKS = ['45.77.3.77', '81.2.69.1', '8.8.8.8', undefined];

/** The answer and the rules that matched, in any order. */
const textOf = (recommendation: string, rules: readonly string[]) =>
  [recommendation, ...[...rules].sort()].join(' ');

/** Asks again if a busy machine could not answer in time. What was counted too late is undone. */
async function patiently<T>(work: () => Promise<T>, attempts = 100): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreUnavailable && attempts > 1) return patiently(work, attempts - 1);
    throw error;
  }
}

describe.each(BACK_ENDS)('a replay on %s', (backEnd) => {
  let database: TestDatabase;
  let store: Store;
  let checks: Awaited<ReturnType<typeof openChecks>>;
  const closing: (() => unknown)[] = [];
  beforeAll(async () => {
    const dns = await startDnsServer(KNOWN_MAIL);
    if (backEnd === 'sqlite') database = await sqliteDatabase();
    else {
      const server = await sharedPostgresServer();
      closing.push(() => server.remove());
      database = await server.database();
    }
    store = await database.open();
    checks = await openChecks(
      readConfig({ POSTERN_DNS_SERVERS: dns.address, POSTERN_FEEDS: 'off' }),
      () => {},
    );
    await checks.mail.start();
    closing.push(
      () => database.remove(),
      () => store.close(),
      () => dns.close(),
    );
    closing.push(
      () => checks.mail.close(),
      () => checks.data.close(),
    );
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });

  it(`of ${VALIDATIONS} rows gives each the answer and the rules that it got live`, async () => {
    const made = await makeCaller(store);
    const project = await updateProject(store, made.project.id, { rules: RULES, namedLists: NAMED });
    const caller = { ...made, project };
    const keyedHash = createKeyedHash(await hashSecret(store.instance));
    const parts = { checks: checks.checks, network: checks.network, keyedHash };
    const { policy } = project;
    const names = CHECK_NAMES.filter((name) => policy.actions[name] !== undefined);
    const options = {
      limitMs: 60_000,
      stopwatch: () => 0,
      onFault: (_name: string, fault: unknown) => expect(fault).toBeUndefined(),
    };

    // Asked once for each domain: a busy machine would answer some of 20,000 questions too late.
    const routes = new Map<string, MailRoute>();
    for (const domain of DOMAINS) routes.set(domain, await checks.mail.route(domain));

    /** What the service answers, by the same code. */
    const validate = async (index: number): Promise<[requestId: string, answer: string]> => {
      const pick = <T>(from: readonly T[], step: number) => from[Math.floor(index / step) % from.length];
      const address = parseEmailAddress(
        `${pick(NAMES, 1)}${index % 3 === 0 ? '' : index % 997}@${pick(DOMAINS, 5)}`,
      );
      if (address === undefined) throw new Error(`Request ${index} has no address`);
      const ip = parseIpAddress(pick(NETWORKS, 7) ?? '');
      const fingerprintHash = index % 4 === 0 ? undefined : `device-${index % 301}`;
      const now = momentOf(index);
      const input = createCheckInput(
        { address, now, project, ip, fingerprintHash, userAgent: undefined },
        (domain) => routes.get(domain) ?? checks.mail.route(domain),
      );
      const runs = await runChecks(checks.checks, names, input, options);
      const requestId = `r-${index}`;
      const { record } = await prepareRecord(parts, project, {
        ...{ requestId, input, keyType: 'server', sdkVersion: undefined, event: 'sign_up', runs },
        ...{ actions: policy.actions, latencyMs: 1 },
      });
      const submission = { ...submissionOf(caller, { now }), validation: record };
      const { validated } = admitted(await patiently(() => store.settle(submission, 120_000)));
      if (validated === null) throw new Error('A validation was not judged');
      const { recommendation, rules, shadowRules } = validated.judgement;
      const inOrder = RULES.map(({ id }) => id).filter(
        (id) => rules.includes(id) || shadowRules.includes(id),
      );
      return [requestId, textOf(recommendation, inOrder)];
    };
    const live = new Map<string, string>();
    for (let at = 0; at < VALIDATIONS; at += AT_ONCE)
      for (const [requestId, answer] of await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) => validate(at + index)),
      ))
        live.set(requestId, answer);

    const terms = {
      policy,
      rules: RULES,
      inList: (at: number) => listsOf(NAMED, (name) => keyedHash('inbox', name), at),
    };
    const different: unknown[] = [];
    const matches = new Map<string, number>();
    let rows = 0;
    const pageFrom = (from: string | null) => patiently(() => store.log.page(project.id, {}, 200, from));
    let cursor: string | null = null;
    do {
      const page = await pageFrom(cursor);
      for (const row of page.rows) {
        const { recommendation, rules } = replay(checks.checks, row, terms);
        const ids = rules.map(({ id }) => id);
        const replayed = textOf(recommendation, ids);
        const logged = textOf(row.recommendation, [...row.rules, ...row.shadowRules]);
        const answered = live.get(row.requestId);
        if (replayed !== answered || logged !== answered)
          different.push({ row: row.requestId, answered, logged, replayed });
        for (const id of ids) matches.set(id, (matches.get(id) ?? 0) + 1);
      }
      rows += page.rows.length;
      cursor = page.next;
    } while (cursor !== null);
    expect([rows, different.slice(0, 5)]).toEqual([VALIDATIONS, []]);
    // Every rule took part, and none matched everybody.
    expect([...matches.keys()].sort()).toEqual(RULES.map(({ id }) => id).sort());
    for (const number of matches.values()) expect(number).toBeLessThan(VALIDATIONS);
  }, 600_000);
});
