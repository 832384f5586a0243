import { describe, expect, it } from 'vitest';
import { readBody, readEmail, readOptions } from './validate-request.ts';

const anyIp = () => true;

function options(body: string, keyType: 'client' | 'server' = 'server') {
  const read = readBody(body);
  if (!read.ok) throw new Error('not an object');
  return readOptions(read.value, keyType, (text) => text === '192.0.2.1');
}

describe('the body', () => {
  it.each(['', 'x', 'null', '[]', '"a"', '5', '{"email":'])('%j is not a JSON object', (text) => {
    expect(readBody(text)).toMatchObject({ ok: false, error: { status: 400 } });
  });

  it('keeps __proto__ as data', () => {
    const read = readBody('{"__proto__":{"email":"a@b.c"}}');
    expect(read.ok && readEmail(read.value)).toMatchObject({ ok: false, error: { name: 'EMAIL_REQUIRED' } });
  });

  it('lets the last of two equal keys win', () => {
    const read = readBody('{"email":"a@b.c","email":"d@e.f"}');
    expect(read.ok && readEmail(read.value)).toEqual({ ok: true, value: 'd@e.f' });
  });
});

describe('email', () => {
  it.each(['{}', '{"email":""}', '{"email":"  "}', '{"email":5}', '{"email":null}', '{"email":["a@b.c"]}'])(
    '%s has none',
    (text) => {
      const read = readBody(text);
      expect(read.ok && readEmail(read.value)).toMatchObject({
        ok: false,
        error: { body: { error: 'Email address is required' } },
      });
    },
  );
});

describe('the other fields', () => {
  it('reads null and empty as absent', () => {
    const text =
      '{"fingerprintHash":"","fingerprint":null,"sdkVersion":null,"ip":null,"userAgent":null,"validations":null}';
    expect(options(text)).toEqual({ ok: true, value: {} });
  });

  it('prefers fingerprintHash over fingerprint, whichever comes first', () => {
    expect(options('{"fingerprintHash":"a","fingerprint":"b"}')).toEqual({
      ok: true,
      value: { fingerprintHash: 'a' },
    });
    expect(options('{"fingerprint":"b"}')).toEqual({ ok: true, value: { fingerprintHash: 'b' } });
    expect(options('{"fingerprint":"b","fingerprintHash":""}')).toEqual({
      ok: true,
      value: { fingerprintHash: 'b' },
    });
  });

  it('does not look at ip and userAgent of a client key', () => {
    expect(options('{"ip":5,"userAgent":[]}', 'client')).toEqual({ ok: true, value: {} });
  });

  it.each([
    ['{"fingerprintHash":5}', 'fingerprintHash'],
    [JSON.stringify({ fingerprintHash: 'x'.repeat(257) }), 'fingerprintHash'],
    ['{"sdkVersion":5}', 'sdkVersion'],
    ['{"ip":"1.2.3"}', 'ip'],
    ['{"ip":5}', 'ip'],
    ['{"userAgent":{}}', 'userAgent'],
    ['{"validations":[]}', 'validations'],
    ['{"validations":{"smtp":"block"}}', 'validations.smtp'],
    ['{"validations":{"__proto__":"block"}}', 'validations.__proto__'],
    ['{"validations":{"mx":"deny"}}', 'validations.mx'],
    ['{"validations":{"mx":null}}', 'validations.mx'],
  ])('%s is refused by name', (text, field) => {
    const read = options(text);
    expect(read.ok).toBe(false);
    expect(!read.ok && read.error.body.error.startsWith(`${field} `)).toBe(true);
  });

  it('takes every known check and action', () => {
    const read = readBody('{"validations":{"syntax":"allow","mx":"flag","ip":"block"}}');
    expect(read.ok && readOptions(read.value, 'client', anyIp)).toEqual({
      ok: true,
      value: { validations: { syntax: 'allow', mx: 'flag', ip: 'block' } },
    });
  });
});
