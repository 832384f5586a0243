import { DEFAULT_ACTIONS } from '@postern/contract';
import type { ProjectPolicy } from '@postern/contract/project-fields';
import { describe, expect, it } from 'vitest';
import { actionOf, changesIn, policyPatch, withAction, withMessage } from './policy-change.ts';

const policy: ProjectPolicy = {
  actions: DEFAULT_ACTIONS,
  clientOverrides: 'allow',
  signals: {},
  unknownMx: 'pass',
  unknownIp: 'pass',
  relays: 'pass',
  crowdDevices: 'act',
  deviceThreshold: 3,
  crowd: 'block',
  agents: 'off',
  refusal: 'plain',
  stepUp: 'none',
  stepUpEffort: 'normal',
  stepUpMailRate: 200,
  claimCampaigns: 'allow',
  messageLanguage: 'request',
  messages: {},
};

describe('policyPatch', () => {
  it('is undefined if nothing differs', () => {
    expect(policyPatch(policy, { ...policy, actions: { ...policy.actions } })).toBeUndefined();
  });

  it('contains only the check that is switched off', () => {
    const patch = policyPatch(policy, withAction(policy, 'ip', 'off'));
    expect(patch).toEqual({ actions: { ip: 'off' } });
    expect(changesIn(patch)).toBe(1);
  });

  it('contains a check that is switched on again, with its action', () => {
    const off = withAction(policy, 'ip', 'off');
    expect(actionOf(off, 'ip')).toBe('off');
    expect(policyPatch(off, withAction(off, 'ip', 'block'))).toEqual({ actions: { ip: 'block' } });
  });

  it('contains only the messages that changed, and null for the usual one', () => {
    const own = withMessage(withMessage(policy, 'de', 'mx', 'Nein.'), 'en', 'mx', 'No.');
    expect(policyPatch(policy, own)).toEqual({ messages: { de: { mx: 'Nein.' }, en: { mx: 'No.' } } });
    expect(changesIn(policyPatch(policy, own))).toBe(2);
    const back = withMessage(own, 'de', 'mx', '');
    expect(policyPatch(own, back)).toEqual({ messages: { de: { mx: null } } });
    expect(policyPatch(policy, withMessage(policy, 'de', 'mx', ''))).toBeUndefined();
  });

  it('contains each changed field besides the actions', () => {
    const patch = policyPatch(policy, {
      ...withAction(policy, 'mx', 'flag'),
      deviceThreshold: 5,
      relays: 'fail',
    });
    expect(patch).toEqual({ actions: { mx: 'flag' }, deviceThreshold: 5, relays: 'fail' });
    expect(changesIn(patch)).toBe(3);
  });
});
