import { describe, expect, it } from 'vitest';
import { actionText, actorText, detailLines } from './audit-text.ts';

const lines = (detail: Record<string, unknown>, memberName: string | null = null) =>
  detailLines({ detail, memberName });

describe('detailLines', () => {
  it('calls each field what the settings form calls it, with its unit', () => {
    expect(
      lines({
        name: 'Acme',
        rateClient: 500,
        blockList: [{ value: 'bad.example' }],
        allowedDomains: [],
        quotaLimit: null,
      }),
    ).toEqual([
      'Name: Acme',
      'Client key rate: 500 requests an hour',
      'Always block: bad.example',
      'Allowed domains: none',
      'Own monthly quota: the plan’s',
    ]);
  });

  it('says what was added to a list and removed from it', () => {
    const added = lines({ blockListAdded: [{ value: 'bad.example', expiresAt: 1_794_748_607_086 }] });
    expect(added).toEqual([
      expect.stringMatching(/^Always block, added: bad\.example \(until \d\d \w+ 2026,/),
    ]);
    expect(lines({ allowListRemoved: [{ value: 'j***@gmail.com' }] })).toEqual([
      'Always allow, removed: j***@gmail.com',
    ]);
  });

  it('says a policy in words', () => {
    const [checks, relays] = lines({ policy: { actions: { ip: 'block' }, relays: 'fail' } });
    expect(checks).toContain('IP address block');
    expect(checks).toContain('Syntax off');
    expect(relays).toBe('Privacy relays: fail');
  });

  it('shows no raw time and no member ID', () => {
    const text = lines({ expiresAt: 1_794_748_607_086, memberId: 'usr_abc' }, 'Vera').join();
    expect(text).not.toMatch(/1794748607086|usr_/);
    expect(text).toContain('Member: Vera');
  });
});

describe('actionText', () => {
  it('names an archived and a restored project, and leaves an unknown action as it is', () => {
    expect(actionText({ action: 'key.revoke', detail: {} })).toBe('revoked a key');
    expect(actionText({ action: 'project.update', detail: { archivedAt: 5 } })).toBe('archived the project');
    expect(actionText({ action: 'project.update', detail: { archivedAt: null } })).toBe(
      'restored the project',
    );
    expect(actionText({ action: 'something.new', detail: {} })).toBe('something.new');
  });
});

describe('actorText', () => {
  it('shows no member ID', () => {
    expect(actorText({ actor: 'usr_abc', actorName: null })).toBe('A former member');
    expect(actorText({ actor: 'cli', actorName: null })).toBe('Command line');
  });
});
