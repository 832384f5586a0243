// In its own chunk: only a form whose answer was flagged loads it.
import {
  type CaptchaVendor,
  type Challenge,
  type ChallengeRequest,
  RESEND_AFTER_SECONDS,
} from '@postern/contract';
import type { EmailField, HttpAnswer } from './core.ts';

interface Asking {
  readonly field: EmailField;
  readonly challenge: Challenge;
  readonly form: HTMLFormElement;
  /** Where the form’s own help is. */
  readonly place: HTMLElement;
  readonly answer: (request: ChallengeRequest) => Promise<HttpAnswer>;
}

/** What one panel works with. */
interface Panel extends Asking {
  readonly element: HTMLElement;
  /** Announced by screen readers. */
  readonly say: (text: string) => void;
  /** The person changed the address, or time is over. */
  readonly signal: AbortSignal;
}

/** Shows in the form what the flag asks for, until it is proved, given up or out of time. Nothing traps the person. */
export async function askPerson(asking: Asking): Promise<void> {
  const { field, challenge, place } = asking;
  const element = make('div', { className: 'postern-step-up', lang: challenge.language, dir: 'auto' });
  element.setAttribute('role', 'group');
  const message = make('p', { className: 'postern-message' });
  message.setAttribute('role', 'status');
  element.append(message);
  place.append(element);
  const over = new AbortController();
  const isAsked = () => field.getState().validation?.challenge?.id === challenge.id;
  const stopWatching = field.subscribe(() => {
    if (!isAsked()) over.abort();
  });
  const timer = setTimeout(() => over.abort(), Date.parse(challenge.expiresAt) - Date.now());
  const say = (text: string) => {
    message.textContent = text;
  };
  const panel: Panel = { ...asking, element, say, signal: over.signal };
  try {
    const verdict = await KINDS[challenge.kind](panel).catch(() => null);
    stopWatching();
    if (isAsked()) field.settleChallenge(verdict);
  } finally {
    stopWatching();
    clearTimeout(timer);
    over.abort();
    element.remove();
  }
}

/** Each gives the second verdict, or `null`. */
const KINDS = { code: askForCode, work, vendor: showWidget } as const;

function askForCode({ form, field, challenge, element, say, signal, answer }: Panel): Promise<string | null> {
  const { texts } = challenge;
  const address = field.getState().value.trim();
  const input = make('input', { type: 'text', inputMode: 'numeric', autocomplete: 'one-time-code' });
  const label = make('label', { textContent: `${texts.code} ` });
  label.append(input);
  const confirm = make('button', { type: 'button', textContent: texts.confirm });
  const resend = make('button', { type: 'button', textContent: texts.resend, hidden: true });
  const skip = make('button', { type: 'button', textContent: texts.skip });
  element.append(label, confirm, resend, skip);
  say(texts.sent.replace('{address}', () => address));
  input.focus();
  return new Promise((resolve) => {
    const end = () => resolve(null);
    const prove = async () => {
      if (input.readOnly || input.value.trim() === '') return;
      input.readOnly = true;
      const { body, verdict } = await answer({ proof: input.value });
      input.readOnly = false;
      if (body?.passed === true) return resolve(verdict);
      // Used up, expired or refused: the sign-up goes on as a flagged one.
      if (!body?.triesLeft) return end();
      say(texts.wrong);
      input.setAttribute('aria-invalid', 'true');
      input.select();
    };
    const confirmed = () => void prove().catch(end);
    const sendAgain = async () => {
      resend.hidden = true;
      input.focus();
      const { body } = await answer({ resend: true, email: address, locale: challenge.language });
      if (body?.sent !== true) return;
      say(texts.resent);
      offerAgain();
    };
    let timer: ReturnType<typeof setTimeout>;
    const offerAgain = () => {
      timer = setTimeout(() => {
        resend.hidden = false;
      }, RESEND_AFTER_SECONDS * 1_000);
    };
    offerAgain();
    confirm.addEventListener('click', confirmed);
    resend.addEventListener('click', () => void sendAgain().catch(() => {}));
    skip.addEventListener('click', end);
    input.addEventListener('input', () => input.removeAttribute('aria-invalid'));
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      end();
    });
    // Enter and the form’s own button confirm the code.
    onSubmit(form, signal, confirmed);
  });
}

/** Instead of the form’s submit. The document comes before the form’s listeners. */
function onSubmit(form: HTMLFormElement, signal: AbortSignal, then: () => void): void {
  const listener = (event: Event) => {
    if (event.target !== form) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    then();
  };
  document.addEventListener('submit', listener, { capture: true, signal });
}

/** The widget of the site’s CAPTCHA vendor. Sending the form again goes on without it, as flagged. */
async function showWidget({ form, challenge, element, signal, answer }: Panel): Promise<string | null> {
  if (challenge.vendor === undefined) return null;
  const { name, siteKey } = challenge.vendor;
  const place = make('div', {});
  element.append(place);
  const token = new Promise<string | null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null));
    onSubmit(form, signal, () => resolve(null));
    renderWidget(name, place, siteKey, resolve).catch(() => resolve(null));
  });
  const proof = await token;
  return proof === null ? null : (await answer({ proof })).verdict;
}

/** Three of the four have the same interface, under different names. */
const WIDGETS = {
  turnstile: ['https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit', 'turnstile'],
  hcaptcha: ['https://js.hcaptcha.com/1/api.js?render=explicit', 'hcaptcha'],
  recaptcha: ['https://www.google.com/recaptcha/api.js?render=explicit', 'grecaptcha'],
  friendly: ['https://cdn.jsdelivr.net/npm/@friendlycaptcha/sdk@0.1.31/site.min.js', 'frcaptcha'],
} as const;

interface WidgetApi {
  readonly ready?: (then: () => void) => void;
  readonly render: (place: HTMLElement, options: object) => unknown;
  readonly createWidget: (options: object) => EventTarget;
}

async function renderWidget(
  name: CaptchaVendor,
  place: HTMLElement,
  sitekey: string,
  done: (token: string | null) => void,
): Promise<void> {
  const [src, global] = WIDGETS[name];
  const apis = window as unknown as Partial<Record<string, WidgetApi>>;
  if (apis[global] === undefined)
    await new Promise((resolve, reject) => {
      const script = make('script', { src, async: true, onload: resolve, onerror: reject });
      document.head.append(script);
    });
  const api = apis[global];
  if (api === undefined) throw new Error('The widget did not load');
  if (name === 'friendly') {
    const widget = api.createWidget({ element: place, sitekey });
    widget.addEventListener('frc:widget.complete', (event) =>
      done((event as CustomEvent<{ response: string }>).detail.response),
    );
    return;
  }
  const render = () => api.render(place, { sitekey, callback: done, 'error-callback': () => done(null) });
  if (name === 'recaptcha') api.ready?.(render);
  else render();
}

const AT_ONCE = 8;

/** Browsers derive keys off the page’s thread, so the page stays alive without a worker, which a content policy might forbid. */
async function work({ challenge, element, say, signal, answer }: Panel): Promise<string | null> {
  // Not in a page without HTTPS.
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  const task = challenge.work;
  if (subtle === undefined || task === undefined) return null;
  say(challenge.texts.working);
  const progress = make('progress', { max: task.maxCounter, value: 0 });
  progress.setAttribute('aria-label', challenge.texts.working);
  element.append(progress);
  const [nonce, salt] = [bytes(task.nonce), bytes(task.salt)];
  const params = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: task.cost };
  const derive = async (counter: number): Promise<string> => {
    const password = new Uint8Array(nonce.length + 4);
    password.set(nonce);
    new DataView(password.buffer).setUint32(nonce.length, counter);
    const key = await subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
    return hex(await subtle.deriveBits(params, key, task.keyLength * 8));
  };
  for (let first = 0; first <= task.maxCounter && !signal.aborted; first += AT_ONCE) {
    const keys = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => derive(first + index)));
    const found = keys.findIndex((key) => key.startsWith(task.keyPrefix));
    progress.value = first;
    if (found >= 0) return (await answer({ proof: `${first + found}:${keys[found]}` })).verdict;
  }
  return null;
}

const bytes = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const hex = (buffer: ArrayBuffer) =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');

function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
): HTMLElementTagNameMap[Tag] {
  return Object.assign(document.createElement(tag), properties);
}
