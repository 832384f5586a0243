import { challengeTexts, LANGUAGES } from '@postern/contract';
import { createElement, StrictMode } from 'react';
import { act, create, type ReactTestRenderer } from 'react-test-renderer';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  allowed,
  blocked,
  type StubAnswer,
  type StubRequest,
  type StubService,
  startStubService,
} from '../../sdk/test/support/stub-service.ts';
import { createPosternClient } from '../src/index.ts';
import { type EmailFieldBinding, type UseEmailFieldOptions, useEmailField } from '../src/react.ts';

let service: StubService;
let answer: StubAnswer | ((request: StubRequest) => StubAnswer);
let screen: ReactTestRenderer;
let field: EmailFieldBinding;

beforeAll(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  service = await startStubService((request) => (typeof answer === 'function' ? answer(request) : answer));
});
afterAll(() => service.close());
beforeEach(() => {
  answer = allowed();
  service.requests.length = 0;
});
afterEach(() => act(() => screen.unmount()));

/** A screen as an app writes it, with host elements named after React Native’s. */
async function show(options: UseEmailFieldOptions = {}) {
  const client = createPosternClient({
    baseUrl: service.url,
    projectId: 'demo',
    apiKey: 'key',
    app: 'com.example.shop',
    timeoutMs: 60_000,
  });
  const Screen = (props: UseEmailFieldOptions) => {
    field = useEmailField(client, props);
    return [
      createElement('TextInput', { key: 'input', ...field.inputProps }),
      createElement('Text', { key: 'message', ...field.messageProps }, field.message ?? field.suggestionText),
    ];
  };
  const element = (props: UseEmailFieldOptions) =>
    createElement(StrictMode, null, createElement(Screen, props));
  await act(async () => {
    screen = create(element(options));
  });
  return { update: (next: UseEmailFieldOptions) => act(async () => screen.update(element(next))) };
}

const type = (value: string) => act(async () => field.inputProps.onChangeText(value));
const shownText = () => screen.root.find(({ type }) => String(type) === 'Text').children.join('');
const settle = () => act(async () => void (await field.validate()));

describe('useEmailField in React Native', () => {
  it('calls the handler once with the address and its verdict, also for a double tap', async () => {
    await show();
    await type(' jane@example.com ');
    const submitted: unknown[] = [];
    await act(async () => {
      const submit = field.handleSubmit(({ email, verdict }) => submitted.push([email, typeof verdict]));
      await Promise.all([submit(), submit()]);
    });
    expect(submitted).toEqual([['jane@example.com', 'string']]);
    expect(field.status).toBe('allowed');
  });

  it('asks for a new verdict for each submit, and gives each once', async () => {
    await show();
    await type('jane@example.com');
    const verdicts: (string | null)[] = [];
    const submit = () => act(() => field.handleSubmit(({ verdict }) => verdicts.push(verdict))());
    await submit();
    await submit();
    expect(service.requests).toHaveLength(2);
    expect(new Set(verdicts).size).toBe(2);
    expect(field.takeVerdict()).toBeNull();
  });

  it('asks a flagged person for the mailed code, and hands on the second verdict', async () => {
    await show();
    const proofs: unknown[] = [];
    const texts = challengeTexts('en');
    answer = ({ path, body }) => {
      if (!path.startsWith('/v1/challenges/ch_1'))
        return allowed({
          recommendation: 'flag',
          challenge: { id: 'ch_1', kind: 'code', expiresAt: '2099-01-01T00:00:00Z', language: 'en', texts },
        });
      const { proof, resend } = body as unknown as { proof?: string; resend?: true };
      proofs.push(proof ?? resend);
      const said = resend
        ? { sent: true }
        : proof === '123456'
          ? { passed: true }
          : { passed: false, triesLeft: 4 };
      return { status: 200, text: JSON.stringify(said), headers: { 'X-Postern-Verdict': 'second' } };
    };
    await type('jane@example.com');
    const submitted: unknown[] = [];
    let submitting: Promise<void> | undefined;
    await act(async () => {
      submitting = field.handleSubmit(({ verdict }) => submitted.push(verdict))();
      await vi.waitFor(() => expect(service.requests).toHaveLength(1));
    });
    await vi.waitFor(() => expect(field.question?.message).toContain('jane@example.com'));
    await act(async () => field.question?.confirm('000001'));
    expect(field.question?.message).toBe(texts.wrong);
    await act(async () => field.question?.resend());
    expect(field.question?.message).toBe(texts.resent);
    expect(submitted).toEqual([]);
    await act(async () => {
      await field.question?.confirm('123456');
      await submitting;
    });
    expect([submitted, proofs, field.question]).toEqual([['second'], ['000001', true, '123456'], null]);
  });

  it('shows why an address is refused, and does not call the handler', async () => {
    answer = blocked();
    await show();
    await type('x@mailinator.com');
    const handler = vi.fn();
    await act(() => field.handleSubmit(handler)());
    expect(handler).not.toHaveBeenCalled();
    expect(shownText()).toBe('Please use a permanent email address.');
    expect(field.inputProps['aria-invalid']).toBe(true);
    await type('x');
    expect(shownText()).toBe('');
  });

  it('speaks the app’s language, and changes it', async () => {
    const { update } = await show({ lang: 'de-AT' });
    await type('jane');
    await settle();
    expect(shownText()).toBe(LANGUAGES.de.form.malformed);
    await update({ lang: 'ja' });
    expect(shownText()).toBe(LANGUAGES.ja.form.malformed);
    await type('jane@example.com');
    await settle();
    expect(service.requests.at(-1)?.body.locale).toBe('ja');
  });

  it('offers a better spelling once before it submits', async () => {
    const changes: string[] = [];
    await show({ onChange: (value) => changes.push(value) });
    await type('janedoe@gmial.com');
    const handler = vi.fn();
    await act(() => field.handleSubmit(handler)());
    expect(handler).not.toHaveBeenCalled();
    expect([field.suggestionText, field.acceptText]).toEqual([
      'Did you mean janedoe@gmail.com?',
      'Use janedoe@gmail.com',
    ]);
    await act(async () => field.suggestionProps.onPress());
    expect(changes).toEqual(['janedoe@gmial.com', 'janedoe@gmail.com']);
    await act(() => field.handleSubmit(handler)());
    expect(handler).toHaveBeenCalledOnce();
  });

  it('can be controlled and reset', async () => {
    const changes: string[] = [];
    const onChange = (value: string) => changes.push(value);
    const { update } = await show({ value: 'a@example.com', onChange });
    expect(field.inputProps.value).toBe('a@example.com');
    await update({ value: 'b@example.com', onChange });
    expect(field.value).toBe('b@example.com');
    await act(async () => field.reset());
    expect(changes).toEqual(['']);
    await update({ value: '', onChange });
    expect([field.inputProps.value, field.status, field.message]).toEqual(['', 'idle', null]);
  });
});
