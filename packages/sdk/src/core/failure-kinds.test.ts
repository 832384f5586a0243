import { apiError, quotaExceeded, rateLimited } from '@postern/contract';
import { describe, expect, it, vi } from 'vitest';
import { clientFor, failureOf } from '../../test/support/client-for.ts';
import type { StubAnswer } from '../../test/support/stub-service.ts';
import type { OfflineCheck } from './validation-client.ts';

describe('the three kinds of failure', () => {
  const quota = quotaExceeded({ limit: 5, used: 5, remaining: 0, resetAt: '2030-01-01T00:00:00.000Z' });
  const spent: StubAnswer = { refusal: quota };
  const quiet = () => {};

  it.each([
    ['exhaustion', spent],
    ['exhaustion', { refusal: rateLimited(1000, 7) }],
    ['misconfiguration', { refusal: apiError('KEY_INVALID') }],
    ['misconfiguration', { refusal: apiError('PROJECT_FORBIDDEN') }],
    ['misconfiguration', { status: 404, text: '<html>Not here</html>' }],
    ['outage', { refusal: apiError('INTERNAL') }],
    ['outage', 'cut'],
    ['request', { refusal: apiError('EMAIL_MALFORMED') }],
  ] as [string, StubAnswer][])('%s is recognised by `kind`: %j', async (kind, answer) => {
    const options = {
      maxRetries: 0,
      whenUnavailable: 'throw',
      whenExhausted: 'throw',
      onProblem: quiet,
    } as const;
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const { client } = await clientFor([answer], options);
    expect((await failureOf(client.validate('a@b.co'))).kind).toBe(kind);
    log.mockRestore();
  });

  it('an exhausted limit passes, blocks, or is decided offline, as configured', async () => {
    const listed: Awaited<ReturnType<OfflineCheck>> = {
      recommendation: 'block',
      message: 'no',
      signals: ['disposable_email'],
    };
    const rows = [
      ['open', 'allow', 'failOpen'],
      ['closed', 'block', 'failClosed'],
      ['offline', 'block', 'offline'],
    ] as const;
    for (const [whenExhausted, recommendation, source] of rows) {
      const options = { whenExhausted, maxRetries: 0, onProblem: quiet };
      const { client } = await clientFor([spent], options, { checkOffline: async () => listed });
      const validation = await client.validate('a@b.co');
      expect(validation).toMatchObject({ recommendation, source, failure: { kind: 'exhaustion' } });
    }
  });

  it('without the list everybody passes', async () => {
    const checkOffline = () => Promise.reject(new Error('no list'));
    const { client } = await clientFor([spent], { onProblem: quiet }, { checkOffline });
    expect(await client.validate('a@b.co')).toMatchObject({ recommendation: 'allow', source: 'failOpen' });
  });

  it('a wrong key is logged as an error once a minute, and reported each time', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const problems: string[] = [];
    const { client } = await clientFor([{ refusal: apiError('KEY_INVALID') }], {
      onProblem: ({ label }) => problems.push(label),
    });
    for (let turn = 0; turn < 3; turn += 1) await failureOf(client.validate('a@b.co'));
    expect(problems).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED', 'UNAUTHORIZED']);
    expect(log.mock.calls).toEqual([[expect.stringMatching(/misconfigured.*UNAUTHORIZED, Invalid API key/)]]);
    log.mockRestore();
  });

  it('an outage is logged as a warning without a handler, and a handler that throws does no harm', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const error = vi.spyOn(console, 'error').mockReturnValue();
    const { client } = await clientFor(['cut'], { maxRetries: 0 });
    for (let turn = 0; turn < 3; turn += 1) await client.validate('a@b.co');
    expect(warn).toHaveBeenCalledTimes(1);
    const onProblem = () => {
      throw new Error('the site’s');
    };
    const { client: other } = await clientFor(['cut'], { maxRetries: 0, onProblem });
    expect(await other.validate('a@b.co')).toMatchObject({ source: 'failOpen' });
    expect(error).toHaveBeenCalledTimes(1);
    vi.restoreAllMocks();
  });
});
