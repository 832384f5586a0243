import { ACTIONS, CHECK_NAMES, type CheckActions, type CheckName } from '@postern/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checksWith, passingCheck } from '../../test/support/check-input.ts';
import { aliasCheck } from '../checks/alias/alias-check.ts';
import type { Finding } from '../checks/check.ts';
import { deviceCheck } from '../checks/device/device-check.ts';
import { type CheckRun, recallChecks } from '../checks/run-checks.ts';
import { decide } from '../decision/decide.ts';
import { type History, historyState, judgeDevice } from '../model/history.ts';
import { DEFAULT_POLICY } from '../model/project.ts';
import { historyWords, recommendationOf } from '../store/log-words.ts';
import { historyEffects, historyRecommendations } from './history-effects.ts';

const checks = checksWith({
  // A check that is neither alias nor device, with a recall of its own.
  roleEmail: {
    ...passingCheck,
    recall: (finding, { inboxReused, device }) =>
      inboxReused || device?.overThreshold
        ? { result: 'failed', error: 'seen', signals: [...(finding.signals ?? []), 'role_email'] }
        : finding,
  },
  alias: aliasCheck,
  device: deviceCheck,
});

const finding = fc.constantFrom<Finding>(
  { result: 'passed' },
  { result: 'failed', error: 'no' },
  { result: 'passed', signals: ['automated_browser'], metadata: { automated: true } },
  { result: 'failed', error: 'tag', signals: ['alias_detected'], metadata: { kind: 'tag' } },
  { result: 'unknown', reason: 'timeout' },
);
const actions = fc.dictionary(fc.constantFrom(...CHECK_NAMES), fc.constantFrom(...ACTIONS));
const device = fc
  .record({
    previousSignups: fc.nat({ max: 6 }),
    ownKnown: fc.boolean(),
    blockedAttempts: fc.nat({ max: 3 }),
    networks: fc.nat({ max: 6 }),
    confirmedPeople: fc.nat({ max: 6 }),
    flagClaims: fc.boolean(),
    threshold: fc.integer({ min: 1, max: 5 }),
    commonNetworks: fc.integer({ min: 1, max: 6 }),
  })
  .map(({ previousSignups, ownKnown, threshold, commonNetworks, flagClaims, ...rest }) => {
    const otherAddresses = Math.max(0, previousSignups - (ownKnown ? 1 : 0));
    const people = Math.min(otherAddresses, rest.networks);
    const counts = { ...rest, previousSignups, otherAddresses, people, firstSeen: 1, lastSeen: 2 };
    return { ...counts, ...judgeDevice(counts, { threshold, commonNetworks, flagClaims }) };
  });
const history: fc.Arbitrary<History> = fc.record({ device: fc.option(device), inboxReused: fc.boolean() });

function marked(failed: readonly string[], signals: readonly string[]): string[] {
  return [...failed.map((check) => `check:${check}`), ...signals.map((signal) => `signal:${signal}`)].sort();
}

describe('what history does to a validation', () => {
  it('is computed in advance with the same result as recall, for the recommendation, the checks and the signals', () => {
    fc.assert(
      fc.property(
        history,
        actions,
        fc.array(finding, { minLength: 7, maxLength: 7 }),
        (past, acts, findings) => {
          const names = CHECK_NAMES.filter((name) => acts[name] !== undefined);
          const ran = names.filter((name) => name !== 'device' || past.device !== null);
          const runs = ran.map((check, at): CheckRun => {
            return { check, finding: findings[at] ?? { result: 'passed' }, latencyMs: 1 };
          });
          const found = historyEffects(checks, runs, past.device !== null);
          const recommendations = historyRecommendations(runs, acts as CheckActions, found);

          const recalled = recallChecks(checks, runs, past);
          const after = decide(recalled, acts as CheckActions, DEFAULT_POLICY, 'en');
          expect(recommendationOf(recommendations, past)).toBe(after.recommendation);
          const failedNow = (list: readonly CheckRun[]) =>
            list.flatMap((run): CheckName[] => (run.finding.result === 'failed' ? [run.check] : []));
          const alone = marked(
            failedNow(runs),
            decide(runs, acts as CheckActions, DEFAULT_POLICY, 'en').signals,
          );
          const effects = found.map(({ failed, signals }) =>
            marked(failed, signals)
              .map((mark) => `${mark} `)
              .join(''),
          );
          const added = historyWords(effects, past).split(' ').filter(Boolean);
          expect([...new Set([...alone, ...added])].sort()).toEqual(
            marked(failedNow(recalled), after.signals),
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('has one recommendation for each state', () => {
    const runs: CheckRun[] = [
      { check: 'alias', finding: { result: 'passed' }, latencyMs: 1 },
      { check: 'device', finding: { result: 'passed' }, latencyMs: 1 },
    ];
    const effects = historyEffects(checks, runs, true);
    const recommendations = historyRecommendations(runs, { alias: 'flag', device: 'block' }, effects);
    expect(recommendations).toBe('01010101111111112222222222222222');
    expect(historyState({ device: null, inboxReused: true })).toBe(1);
  });
});
