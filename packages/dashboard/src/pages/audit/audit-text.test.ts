import { describe, expect, it } from 'vitest';
import { actionText, detailLines } from './audit-text.ts';

describe('detailLines', () => {
  it('names nested values by their path, and lists by what they hold', () => {
    const detail = {
      name: 'Acme',
      policy: { actions: { ip: 'block' }, relays: 'fail' },
      blockList: [{ value: 'bad.example', note: 'spam' }],
      allowedDomains: [],
      quotaLimit: null,
    };
    expect(detailLines(detail)).toEqual([
      'name: Acme',
      'policy.actions.ip: block',
      'policy.relays: fail',
      'blockList: bad.example',
      'allowedDomains: empty',
    ]);
  });
});

describe('actionText', () => {
  it('leaves an action without words as it is', () => {
    expect(actionText('key.revoke')).toBe('revoked a key');
    expect(actionText('something.new')).toBe('something.new');
  });
});
