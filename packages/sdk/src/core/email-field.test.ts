import { findFormTexts } from '@postern/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ServerFallback } from './client-options.ts';
import { canSubmit, createEmailField, type EmailFieldOptions } from './email-field.ts';
import { type PosternError, posternError } from './postern-error.ts';
import type { Validation } from './validation.ts';
import type { ValidateOptions, ValidationClient } from './validation-client.ts';

const ALLOW: Validation = {
  checks: {},
  metadata: { fingerprintHash: null, previousSignups: 0, totalLatency: 1 },
  message: null,
  recommendation: 'allow',
  signals: [],
  source: 'service',
  suggestion: null,
  verdict: 'a.b.c',
  requestId: 'r',
  quota: null,
  rate: null,
  failure: null,
};
const BLOCK: Validation = { ...ALLOW, recommendation: 'block', message: 'Please use a permanent address.' };

/** A client whose answers the test controls. It obeys the abort signal like the real one. */
function handClient(whenUnavailable: ServerFallback = 'open') {
  const asked: {
    email: string;
    options: ValidateOptions;
    answer(answer: Validation | PosternError): Promise<void>;
  }[] = [];
  const client: ValidationClient = {
    whenUnavailable,
    validate: (email, options = {}) =>
      new Promise((resolve, reject) => {
        options.signal?.addEventListener('abort', () =>
          reject(posternError('aborted', { label: 'ABORTED', status: 0 })),
        );
        const answer = async (given: Validation | PosternError) => {
          if (given instanceof Error) reject(given);
          else resolve(given);
          await vi.advanceTimersByTimeAsync(0);
        };
        asked.push({ email, options, answer });
      }),
  };
  return { client, asked };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('an email field', () => {
  it('asks nothing while the person types', async () => {
    const { client, asked } = handClient();
    const field = createEmailField(client);
    for (const value of ['j', 'ja', 'jane@example.com']) field.setValue(value);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveLength(0);
    expect(field.getState()).toMatchObject({ status: 'idle', message: null });
  });

  it('asks once, a moment after it lost focus', async () => {
    const { client, asked } = handClient();
    const field = createEmailField(client);
    field.setValue(' jane@example.com ');
    field.blur();
    await vi.advanceTimersByTimeAsync(299);
    field.blur();
    await vi.advanceTimersByTimeAsync(299);
    expect(asked).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked.map(({ email }) => email)).toEqual(['jane@example.com']);
    expect(field.getState().status).toBe('checking');
    await asked[0]?.answer(BLOCK);
    expect(field.getState()).toMatchObject({ status: 'blocked', message: BLOCK.message });
    expect(canSubmit(field.getState())).toBe(false);
  });

  it('answers without the network if the value is not an address', () => {
    const { client, asked } = handClient();
    const field = createEmailField(client, { texts: { malformed: 'Das ist keine Adresse.' } });
    field.setValue('jane');
    field.blur();
    expect(field.getState()).toMatchObject({ status: 'malformed', message: 'Das ist keine Adresse.' });
    expect(asked).toHaveLength(0);
  });

  it('offers the corrected address immediately, and applies it on request', async () => {
    const { client, asked } = handClient();
    const field = createEmailField(client);
    field.setValue('janedoe@gmial.com');
    field.blur();
    expect(field.getState().suggestion).toBe('janedoe@gmail.com');
    field.acceptSuggestion();
    expect(field.getState()).toMatchObject({ value: 'janedoe@gmail.com', suggestion: null });
    expect(asked.map(({ email }) => email)).toEqual(['janedoe@gmail.com']);
  });

  it('keeps its own suggestion when the service has none', async () => {
    const { client, asked } = handClient();
    const field = createEmailField(client);
    field.setValue('janedoe@gmial.com');
    const settled = field.validateNow();
    await asked[0]?.answer(ALLOW);
    expect(await settled).toMatchObject({ status: 'allowed', suggestion: 'janedoe@gmail.com' });
  });

  it('ignores the answer to an address that was changed since', async () => {
    const { client, asked } = handClient();
    const field = createEmailField(client);
    field.setValue('old@example.com');
    const settled = field.validateNow();
    field.setValue('new@example.com');
    await asked[0]?.answer(BLOCK);
    await settled;
    expect(field.getState()).toMatchObject({ value: 'new@example.com', status: 'idle', message: null });
  });

  it('asks once if blur and submit come together', async () => {
    const { client, asked } = handClient();
    const field = createEmailField(client);
    field.setValue('jane@example.com');
    field.blur();
    await vi.advanceTimersByTimeAsync(300);
    const settled = field.validateNow();
    await asked[0]?.answer(ALLOW);
    expect(await settled).toMatchObject({ status: 'allowed', validation: { verdict: 'a.b.c' } });
    expect(asked).toHaveLength(1);
  });

  it('caches answers until the verdict was used or is old', async () => {
    const { client, asked } = handClient();
    const field = createEmailField(client);
    field.setValue('jane@example.com');
    const first = field.validateNow();
    await asked[0]?.answer(ALLOW);
    await first;
    field.setValue('other');
    field.setValue('jane@example.com');
    expect(await field.validateNow()).toMatchObject({ status: 'allowed' });
    expect(asked).toHaveLength(1);

    field.submitted();
    void field.validateNow();
    expect(asked).toHaveLength(2);
    await asked[1]?.answer(ALLOW);
    await vi.advanceTimersByTimeAsync(300_000);
    void field.validateNow();
    expect(asked).toHaveLength(3);
  });

  it('never reuses a verdict, whatever was typed since', async () => {
    const { client, asked } = handClient();
    const field = createEmailField(client);
    field.setValue('jane@example.com');
    const first = field.validateNow();
    await asked[0]?.answer(ALLOW);
    await first;
    field.submitted();
    expect(field.getState().validation?.verdict).toBe(ALLOW.verdict);
    field.setValue('joe@example.com');
    field.setValue('jane@example.com');
    void field.validateNow();
    expect(asked).toHaveLength(2);
    expect(field.getState()).toMatchObject({ status: 'checking', validation: null });
  });

  it('drops the old verdict when the next request is refused', async () => {
    const { client, asked } = handClient();
    const field = createEmailField(client);
    field.setValue('jane@example.com');
    const first = field.validateNow();
    await asked[0]?.answer(ALLOW);
    await first;
    field.submitted();
    const second = field.validateNow();
    await asked[1]?.answer(posternError('no', { label: 'UNAUTHORIZED', status: 401 }));
    expect(await second).toMatchObject({ status: 'unchecked', validation: null });
  });

  it('lets the person pass if the service refuses the request, and keeps the reason', async () => {
    const { client, asked } = handClient();
    const field = createEmailField(client);
    field.setValue('jane@example.com');
    const settled = field.validateNow();
    const error = posternError('Invalid API key', { label: 'UNAUTHORIZED', status: 401 });
    await asked[0]?.answer(error);
    const state = await settled;
    expect(state).toMatchObject({ status: 'unchecked', message: null, error });
    expect(canSubmit(state)).toBe(true);
  });

  it('refuses the address if the client fails closed', async () => {
    const { client, asked } = handClient('closed');
    const field = createEmailField(client);
    field.setValue('jane@example.com');
    const settled = field.validateNow();
    await asked[0]?.answer(posternError('Invalid API key', { label: 'UNAUTHORIZED', status: 401 }));
    expect(await settled).toMatchObject({ status: 'blocked', message: expect.stringMatching(/try again/) });
  });

  it('stops a misspelled address once, until its suggestion was seen', async () => {
    const { client, asked } = handClient();
    const field = createEmailField(client);
    field.setValue('janedoe@gmial.com');
    const first = field.validateNow();
    await asked[0]?.answer(ALLOW);
    const held = await first;
    expect(held).toMatchObject({
      status: 'allowed',
      holdForSuggestion: true,
      suggestion: 'janedoe@gmail.com',
    });
    expect(canSubmit(held)).toBe(false);
    expect(canSubmit(await field.validateNow())).toBe(true);
    expect(asked).toHaveLength(1);
  });

  it('does not stop a submit if the suggestion was visible for a while', async () => {
    const { client, asked } = handClient();
    const field = createEmailField(client);
    field.setValue('janedoe@gmial.com');
    field.blur();
    await vi.advanceTimersByTimeAsync(1_000);
    await asked[0]?.answer(ALLOW);
    expect(canSubmit(await field.validateNow())).toBe(true);
  });

  it('shows nothing to a flagged person, and calls onFlag once', async () => {
    const { client, asked } = handClient();
    const flagged: Validation[] = [];
    const field = createEmailField(client, { onFlag: (validation) => flagged.push(validation) });
    field.setValue('info@example.com');
    const settled = field.validateNow();
    const answer: Validation = { ...BLOCK, recommendation: 'flag' };
    await asked[0]?.answer(answer);
    expect(await settled).toMatchObject({ status: 'flagged', message: null, validation: answer });
    await field.validateNow();
    expect(flagged).toEqual([answer]);
  });

  describe('shows other texts', () => {
    const disposable: Validation = {
      ...BLOCK,
      checks: {
        syntax: { pass: true, latency: 1 },
        disposable: { pass: false, latency: 1 },
        roleEmail: { pass: false, latency: 1 },
      },
    };

    it.each<[string, EmailFieldOptions, string]>([
      ['by check', { messages: { disposable: 'Own words.', roleEmail: 'Not these.' } }, 'Own words.'],
      [
        'by a function',
        { messages: ({ key, message }) => `${key}: ${message}` },
        `disposable: ${BLOCK.message}`,
      ],
      ['without a text for the check', { messages: { mx: 'Other.' } }, String(BLOCK.message)],
    ])('%s', async (_how, options, expected) => {
      const { client, asked } = handClient();
      const field = createEmailField(client, options);
      field.setValue('x@mailinator.com');
      const settled = field.validateNow();
      await asked[0]?.answer(disposable);
      expect((await settled).message).toBe(expected);
    });

    it('in another language: the service is asked for it, and own texts change at once', async () => {
      const { client, asked } = handClient();
      const field = createEmailField(client);
      const german = findFormTexts('de');
      field.setLanguage('de-AT', german);
      field.setValue('x@mailinator.com');
      const settled = field.validateNow();
      expect(asked[0]?.options.locale).toBe('de-AT');
      await asked[0]?.answer({ ...disposable, message: 'Vom Dienst.' });
      expect((await settled).message).toBe('Vom Dienst.');
      field.setValue('jane');
      field.blur();
      expect(field.getState().message).toBe(german?.malformed);
      field.setLanguage('', null);
      expect(field.getState().message).toMatch(/^Please/);
      field.setValue('y@mailinator.com');
      void field.validateNow();
      expect(asked[1]?.options.locale).toBe('en');
    });
  });

  it('returns to its default value on reset', async () => {
    const { client } = handClient();
    const field = createEmailField(client, { defaultValue: 'jane@example.com' });
    expect(field.getState().value).toBe('jane@example.com');
    field.setValue('nothing');
    field.blur();
    field.reset();
    expect(field.getState()).toMatchObject({ value: 'jane@example.com', status: 'idle', message: null });
  });

  it('notifies its listeners until they unsubscribe', () => {
    const field = createEmailField(handClient().client);
    let calls = 0;
    const leave = field.subscribe(() => {
      calls += 1;
    });
    field.setValue('a');
    leave();
    field.setValue('b');
    expect(calls).toBe(1);
  });
});
