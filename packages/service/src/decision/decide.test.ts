import {
  CHECK_NAMES,
  type CheckActions,
  type CheckName,
  DEFAULT_ACTIONS,
  LANGUAGES,
  type LanguageTag,
  MESSAGES,
} from '@postern/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../checks/check.ts';
import type { CheckRuns } from '../checks/run-checks.ts';
import { DEFAULT_POLICY, type ProjectPolicy } from '../model/project.ts';
import { messageOf, signalsOf, strongestReason } from './decide.ts';
import { messageLanguage } from './message-text.ts';

function runs(findings: Partial<Record<CheckName, Finding>>): CheckRuns {
  return CHECK_NAMES.flatMap((check) => {
    const finding = findings[check];
    return finding === undefined ? [] : [{ check, finding, latencyMs: 0 }];
  });
}
/** What follows from the checks alone. */
function decide(found: CheckRuns, actions: CheckActions, policy: ProjectPolicy, language: LanguageTag) {
  const signals = signalsOf(found);
  const { recommendation, check = null } = strongestReason(found, actions, policy, signals);
  const message = messageOf({ recommendation, check, rule: null }, { policy, rules: [] }, language, found);
  return { recommendation, message: message?.text ?? null, language: message?.language ?? language, signals };
}

const failed: Finding = { result: 'failed', error: 'x' };
const PLAIN = DEFAULT_POLICY;
const passed: Finding = { result: 'passed' };

describe('the recommendation', () => {
  it('is allow without a message when nothing failed', () => {
    expect(
      decide(
        runs({ syntax: passed, mx: { result: 'unknown', reason: 'timeout' } }),
        DEFAULT_ACTIONS,
        PLAIN,
        'en',
      ),
    ).toEqual({
      recommendation: 'allow',
      message: null,
      language: 'en',
      signals: [],
    });
  });

  it('is the strongest action among failed checks, and the message is that check’s', () => {
    expect(
      decide(runs({ roleEmail: failed, disposable: failed }), DEFAULT_ACTIONS, PLAIN, 'en'),
    ).toMatchObject({
      recommendation: 'block',
      message: MESSAGES.disposable,
    });
  });

  it('breaks ties in the order of the checks', () => {
    const actions = { device: 'flag', alias: 'flag', ip: 'flag' } as const;
    expect(decide(runs({ ip: failed, device: failed, alias: failed }), actions, PLAIN, 'en').message).toBe(
      MESSAGES.alias,
    );
  });

  it('does not change for a failed check whose action is allow, but its signals still show', () => {
    const finding: Finding = { result: 'failed', error: 'x', signals: ['role_email'] };
    expect(decide(runs({ roleEmail: finding }), { roleEmail: 'allow' }, PLAIN, 'en')).toEqual({
      recommendation: 'allow',
      message: null,
      language: 'en',
      signals: ['role_email'],
    });
  });

  it('is flag for a signal that the policy flags, with the message of its check, and never weaker than a failure', () => {
    const found = runs({ disposable: { result: 'passed', signals: ['random_local_part'] } });
    expect(decide(found, DEFAULT_ACTIONS, PLAIN, 'en').recommendation).toBe('allow');
    expect(
      decide(found, DEFAULT_ACTIONS, { ...PLAIN, signals: { random_local_part: 'flag' } }, 'en'),
    ).toEqual({
      recommendation: 'flag',
      message: MESSAGES.disposable,
      language: 'en',
      signals: ['random_local_part'],
    });
    expect(
      decide(found, DEFAULT_ACTIONS, { ...PLAIN, signals: { new_domain: 'flag' } }, 'en').recommendation,
    ).toBe('allow');
    const blocked = runs({ disposable: { ...failed, signals: ['random_local_part'] } });
    expect(
      decide(blocked, DEFAULT_ACTIONS, { ...PLAIN, signals: { random_local_part: 'flag' } }, 'en')
        .recommendation,
    ).toBe('block');
  });

  it('is worded in the language that is asked for, unless the project fixes or replaces it', () => {
    const found = runs({ disposable: failed });
    const messageIn = (policy: Partial<typeof PLAIN>, language: LanguageTag) =>
      decide(found, DEFAULT_ACTIONS, { ...PLAIN, ...policy }, language).message;
    expect(messageIn({}, 'de')).toBe(LANGUAGES.de.messages.disposable);
    const messages = { de: { disposable: 'Eigener Text.', mx: 'Anderer Text.' } };
    expect(messageIn({ messages }, 'de')).toBe('Eigener Text.');
    expect(messageIn({ messages }, 'fr')).toBe(LANGUAGES.fr.messages.disposable);
    // Gmail has no `jane`: the person is told which part is wrong, unless the project has a text of its own.
    const short = runs({ syntax: { result: 'failed', error: 'x', message: 'localPart' } });
    expect(decide(short, DEFAULT_ACTIONS, PLAIN, 'de').message).toBe(LANGUAGES.de.messages.localPart);
    const own = { ...PLAIN, messages: { de: { syntax: 'Eigener Text.' } } };
    expect(decide(short, DEFAULT_ACTIONS, own, 'de').message).toBe('Eigener Text.');
    expect(messageLanguage(PLAIN, 'de')).toBe('de');
    expect(messageLanguage({ ...PLAIN, messageLanguage: 'fr' }, 'de')).toBe('fr');
  });

  it('flags a mail or IP check without an answer only where the policy says so', () => {
    const unknown: Finding = { result: 'unknown', reason: 'timeout' };
    const found = runs({ mx: unknown, ip: unknown, alias: unknown });
    const under = (policy: object, actions: CheckActions = DEFAULT_ACTIONS) =>
      decide(found, actions, { ...PLAIN, ...policy }, 'en').recommendation;
    expect(under({})).toBe('allow');
    expect(under({ unknownMx: 'flag' })).toBe('flag');
    expect(under({ unknownIp: 'flag' })).toBe('flag');
    expect(under({ unknownMx: 'flag' }, { ip: 'block', alias: 'block' })).toBe('allow');
    // A check that may not even flag when it fails does not flag when it cannot tell.
    expect(under({ unknownMx: 'flag' }, { mx: 'allow' })).toBe('allow');
  });

  it('has a message exactly when it is not allow, for any findings and policy', () => {
    const finding = fc.constantFrom<Finding>(failed, passed, { result: 'unknown', reason: 'x' });
    const findings = fc.record(Object.fromEntries(CHECK_NAMES.map((name) => [name, finding])), {
      requiredKeys: [],
    });
    const action = fc.constantFrom('allow', 'flag', 'block');
    const actions = fc.record(Object.fromEntries(CHECK_NAMES.map((name) => [name, action])), {
      requiredKeys: [],
    });
    fc.assert(
      fc.property(findings, actions, (found, policy) => {
        const { recommendation, message } = decide(runs(found), policy, PLAIN, 'en');
        expect(message === null).toBe(recommendation === 'allow');
      }),
    );
  });
});
