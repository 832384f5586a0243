import { describe, expect, it } from 'vitest';
import { toLogRow } from './log-record.ts';

const facts = {
  requestId: 'r',
  keyType: 'server',
  maskedAddress: 'j***@mail.example',
  domain: 'mail.example',
  maskedIp: null,
  sdkVersion: null,
  inbox: 'inbox-hash',
  actions: { syntax: 'block' },
  latencyMs: 1,
  checks: { syntax: [1, 0.5] },
};

function rowWith(marks: string, more: object = {}) {
  return toLogRow({
    project_id: 'shop',
    id: '0mwj7ixkc0008d0o0p6vcx24',
    recommendation: 'allow',
    marks,
    history: '[0]',
    facts: JSON.stringify({ ...more, ...facts }),
  });
}

describe('a log row', () => {
  it('has its key, mode and device from the marks', () => {
    const row = rowWith(
      ' mode:test inbox:inbox-hash device:device-hash domain:mail.example key:key_1 check:mx ',
    );
    expect(row).toMatchObject({ keyId: 'key_1', mode: 'test', deviceHash: 'device-hash', failed: ['mx'] });
    expect(row.checksJson).toBe('{"syntax":[1,0.5]}');
  });

  it('of an earlier version has its key from the facts', () => {
    const row = rowWith(' mode:live inbox:inbox-hash ', { keyId: 'key_2', mode: 'live', device: null });
    expect(row).toMatchObject({ keyId: 'key_2', mode: 'live', deviceHash: null });
  });
});
