import { DEFAULT_ACTIONS } from '@postern/contract';
import type { Rule } from '@postern/contract/rules';
import { expect, it } from 'vitest';
import { checksWith, passingCheck } from '../../test/support/check-input.ts';
import { aliasCheck } from '../checks/alias/alias-check.ts';
import { deviceCheck } from '../checks/device/device-check.ts';
import { NO_FACTS } from '../model/facts-for-rules.ts';
import { DEFAULT_POLICY, type ProjectPolicy } from '../model/project.ts';
import type { LogRow } from '../store/store.ts';
import { replay } from './replay.ts';

const checks = checksWith({ alias: aliasCheck, device: deviceCheck, ip: { ...passingCheck, needs: 'ip' } });

const PASSED = [1, 1];
const FAILED = ['no', 1];
const ALL = {
  syntax: PASSED,
  disposable: PASSED,
  mx: PASSED,
  roleEmail: PASSED,
  alias: PASSED,
  device: PASSED,
  ip: PASSED,
};

function row(checks: object, traits: Partial<LogRow> = {}): LogRow {
  return {
    id: '1',
    projectId: 'p',
    at: 0,
    requestId: 'r',
    keyId: 'k',
    keyType: 'server',
    mode: 'live',
    maskedAddress: 'j***@example.com',
    domain: 'example.com',
    maskedIp: '192.0.2.0/24',
    country: null,
    asn: null,
    shape: null,
    sdkVersion: null,
    inboxHash: 'i',
    spelling: null,
    deviceHash: 'd',
    recommendation: 'allow',
    steppedUp: null,
    actions: DEFAULT_ACTIONS,
    failed: [],
    signals: [],
    rules: [],
    shadowRules: [],
    lists: [],
    checksJson: JSON.stringify(checks),
    latencyMs: 1,
    facts: NO_FACTS,
    history: {
      device: {
        previousSignups: 3,
        otherAddresses: 2,
        people: 2,
        confirmedPeople: 2,
        blockedAttempts: 0,
        networks: 2,
        overThreshold: false,
        flagsOnly: false,
        common: false,
        firstSeen: 0,
        lastSeen: 0,
      },
      inboxReused: false,
    },
    ...traits,
  };
}

const terms = (policy: ProjectPolicy, rules: readonly Rule[] = []) => ({
  policy,
  rules,
  inList: () => () => false,
});

const under = (logged: LogRow, change: Partial<typeof DEFAULT_POLICY>) =>
  replay(checks, logged, terms({ ...DEFAULT_POLICY, ...change })).recommendation;

it('applies the strongest action among the checks that failed', () => {
  expect(under(row(ALL), {})).toBe('allow');
  expect(under(row({ ...ALL, roleEmail: FAILED }), {})).toBe('flag');
  expect(under(row({ ...ALL, roleEmail: FAILED }), { actions: { roleEmail: 'block' } })).toBe('block');
  expect(under(row({ ...ALL, mx: FAILED }), { actions: { syntax: 'block' } })).toBe('allow');
});

it('applies other thresholds to the logged history', () => {
  expect(under(row(ALL), { deviceThreshold: 2 })).toBe('flag');
  // The check did not run then, but history knows what it would have found.
  expect(under(row({ syntax: PASSED }), { deviceThreshold: 2, actions: { device: 'block' } })).toBe('block');
  const claimed = row(ALL);
  const { device } = claimed.history;
  if (device === null) throw new Error('The row has a device');
  const history = { device: { ...device, confirmedPeople: 1 }, inboxReused: false };
  expect(under({ ...claimed, history }, { deviceThreshold: 2, actions: { device: 'block' } })).toBe('flag');
});

it('handles relays and known inboxes according to the policy', () => {
  const relay = row({ ...ALL, alias: [...PASSED, { kind: 'relay' }] });
  expect(under(relay, {})).toBe('allow');
  expect(under(relay, { relays: 'fail' })).toBe('flag');
  const failedRelay = row({ ...ALL, alias: [...FAILED, { kind: 'relay' }] });
  expect(under(failedRelay, { relays: 'pass' })).toBe('allow');
  expect(under(row(ALL, { history: { device: null, inboxReused: true } }), {})).toBe('flag');
});

it('lists the checks that cannot be replayed, but not those without input', () => {
  const asked = replay(
    checks,
    row({ syntax: PASSED }, { history: { device: null, inboxReused: false } }),
    terms(DEFAULT_POLICY),
  );
  expect(asked.unknown).toEqual(['disposable', 'mx', 'roleEmail', 'alias', 'device', 'ip']);
  const bare = { deviceHash: null, maskedIp: null, history: { device: null, inboxReused: false } };
  const { device: _device, ip: _ip, ...rest } = ALL;
  expect(replay(checks, row(rest, bare), terms(DEFAULT_POLICY)).unknown).toEqual([]);
});

it('asks the rules again, with what the log kept', () => {
  const rule = (when: string, then: Rule['then'], mode: Rule['mode'] = 'live'): Rule => ({
    id: `${then}_${mode}`,
    name: 'R',
    when,
    then,
    mode,
  });
  const logged = row(
    { ...ALL, roleEmail: FAILED },
    {
      country: 'DE',
      signals: ['role_email', 'device_reuse', 'block_rule', 'rule_old'],
      facts: { ...NO_FACTS, role: true, ipKind: 'hosting' },
    },
  );
  const answer = (...rules: Rule[]) => replay(checks, logged, terms(DEFAULT_POLICY, rules));
  expect(answer().recommendation).toBe('flag');
  expect(answer(rule('email.role && ip.kind == "hosting"', 'block')).recommendation).toBe('block');
  expect(answer(rule('ip.country == "DE" && device.reused', 'allow')).recommendation).toBe('allow');
  expect(answer(rule('true', 'block', 'shadow')).recommendation).toBe('flag');
  expect(answer(rule('true', 'block', 'shadow')).rules).toHaveLength(1);
  expect(answer(rule('"roleEmail" in failed', 'allow'), rule('true', 'block')).recommendation).toBe('allow');
  expect(answer(rule('signals.exists(s, s.startsWith("rule_"))', 'block')).recommendation).toBe('flag');
});

it('leaves what a list decided, and still says which rules match', () => {
  const logged = row(ALL, { recommendation: 'block', signals: ['block_listed'] });
  const allow: Rule = { id: 'a', name: 'A', when: 'true', then: 'allow', mode: 'live' };
  expect(replay(checks, logged, terms(DEFAULT_POLICY, [allow]))).toMatchObject({
    recommendation: 'block',
    rules: [allow],
  });
});
