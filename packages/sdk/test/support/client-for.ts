import { afterEach } from 'vitest';
import type { ClientOptions, ServerFallback } from '../../src/core/client-options.ts';
import { isPosternError, type PosternError } from '../../src/core/postern-error.ts';
import type { Timing } from '../../src/core/timing.ts';
import { createValidationClient, type Platform } from '../../src/core/validation-client.ts';
import { type StubAnswer, startStubService } from './stub-service.ts';

/** What is closed after each test. */
export const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A client for a service that gives these answers in turn. Waits are recorded instead of slept. */
export async function clientFor(
  answers: StubAnswer[],
  options: Partial<ClientOptions<ServerFallback>> = {},
  platform: Partial<Platform> = {},
) {
  const service = await startStubService((_, index) => answers[Math.min(index, answers.length - 1)] ?? 'cut');
  closers.push(service.close);
  const waitsMs: number[] = [];
  let nowMs = 0;
  const timing: Timing = {
    now: () => nowMs,
    sleep: async (ms) => {
      waitsMs.push(ms);
      nowMs += ms;
    },
    random: () => 0.5,
  };
  const all = { baseUrl: `${service.url}/`, projectId: 'demo', apiKey: 'key', ...options };
  return { client: createValidationClient(all, { name: 'test', timing, ...platform }), service, waitsMs };
}

export async function failureOf(promise: Promise<unknown>): Promise<PosternError> {
  const error = await promise.catch((caught: unknown) => caught);
  if (!isPosternError(error)) throw new Error(`expected a PosternError, got ${String(error)}`);
  return error;
}
