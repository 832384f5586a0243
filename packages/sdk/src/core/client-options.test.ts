import { describe, expect, it } from 'vitest';
import { clientFor } from '../../test/support/client-for.ts';
import { allowed } from '../../test/support/stub-service.ts';
import { createValidationClient } from './validation-client.ts';

describe('wrong options', () => {
  const good = { baseUrl: 'https://postern.test', projectId: 'demo', apiKey: 'key' };

  it.each([
    ['apiKey', { apiKey: 'schlüssel' }],
    ['apiKey', { apiKey: 'YOUR_SERVER_KEY' }],
    ['apiKey', { apiKey: undefined as never }],
    ['projectId', { projectId: 'YOUR_PROJECT_ID' }],
    ['baseUrl', { baseUrl: 'https://postern.example.com' }],
    ['baseUrl', { baseUrl: 'https://postern.test/validate' }],
    ['baseUrl', { baseUrl: 'https://postern.test/v1/' }],
    ['baseUrl', { baseUrl: 'https://postern.test/dashboard/' }],
    ['baseUrl', { baseUrl: 'https://postern.test/?key=1' }],
    ['baseUrl', { baseUrl: 'https://postern.test/#top' }],
    ['whenExhausted', { whenExhausted: 'maybe' as never }],
    ['apiKey', { apiKey: 'two words' }],
    ['projectId', { projectId: '' }],
    ['baseUrl', { baseUrl: 'postern.example.com' }],
    ['baseUrl', { baseUrl: undefined as never }],
    ['whenUnavailable', { whenUnavailable: 'failopen' as never }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['timeoutMs', { timeoutMs: Number.NaN }],
    ['maxRetries', { maxRetries: Number.NaN }],
    ['maxRetries', { maxRetries: -1 }],
  ])('throw because of %s: %j', (name, options) => {
    expect(() => createValidationClient({ ...good, ...options })).toThrow(name);
  });

  it('throw with the list of required options if there are none', () => {
    expect(() => createValidationClient(undefined as never)).toThrow('{ baseUrl, projectId, apiKey }');
  });

  it.each(['client', 'server'] as const)('throw for a key of the other type: %s', (keyType) => {
    const make = (apiKey: string) => createValidationClient({ ...good, apiKey }, { name: 'test', keyType });
    expect(() => make(`pst_${keyType}_live_x`)).not.toThrow();
    expect(() => make(`pst_${keyType === 'client' ? 'server' : 'client'}_live_x`)).toThrow(
      `a ${keyType} key`,
    );
  });

  it('are not an upper-case host or a path of the page’s own site', () => {
    for (const baseUrl of ['https://prüfung.example', '/postern'])
      createValidationClient({ ...good, baseUrl });
  });

  it('are not a line break after a key', async () => {
    const { client, service } = await clientFor([allowed()], { apiKey: 'key\n' });
    await client.validate('jane@example.com');
    expect(service.requests[0]?.headers.authorization).toBe('Bearer key');
  });
});
