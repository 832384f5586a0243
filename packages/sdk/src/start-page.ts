import { PAGE_REPORTS_PATH } from '@postern/contract';
import { isAttached } from './attach.ts';
import type { canSubmit, isPosternError } from './core.ts';
import { defineEmailElement } from './email-element.ts';
import { EMAIL_INPUT } from './form-elements.ts';
import type { createPosternClient, PosternClient } from './postern-client.ts';

/** What a page finds in the global `Postern`. */
interface PageApi {
  readonly createPosternClient: typeof createPosternClient;
  readonly isPosternError: typeof isPosternError;
  readonly canSubmit: typeof canSubmit;
}

/** A call that waits for the script. `client` is the one of the script tag, `null` if the tag has no key. */
type QueuedCall = (postern: PageApi, client: PosternClient | null) => void;

/**
 * Reads the script’s own tag, so that a page needs no inline script and the tag can be `async`: `<script async
 * src="…/sdk/postern.js" data-project="demo" data-key="…" data-form="#sign-up">`. Then makes the calls that the page has
 * queued with `(window.postern ||= []).push((Postern, client) => …)`.
 */
export function startPage(api: PageApi): void {
  // Only set while the script runs for the first time, and never for a module.
  const tag = document.currentScript;
  const client = tag instanceof HTMLScriptElement ? clientOf(api, tag) : null;
  if (tag === null && document.querySelector('script[type=module][src][data-project]') !== null)
    console.error('Postern protects no form: its script tag must not have type="module"');
  const page = window as { postern?: QueuedCall[] };
  const waiting = Array.isArray(page.postern) ? page.postern : [];
  const call = (queued: QueuedCall) => {
    try {
      queued(api, client);
    } catch (error) {
      // One call of the page must not stop the others.
      setTimeout(() => {
        throw error;
      });
    }
  };
  page.postern = Object.assign([], {
    push: (...calls: QueuedCall[]) => {
      calls.forEach(call);
      return 0;
    },
  });
  waiting.forEach(call);
}

function clientOf(api: PageApi, tag: HTMLScriptElement): PosternClient | null {
  const { project, key, form = 'form:has(input[type=email])', url, timeoutMs, ...data } = tag.dataset;
  if (!project || !key) {
    const given = Object.keys(tag.dataset);
    if (given.length > 0)
      console.error(
        `Postern protects no form: its script tag has no ${project ? 'data-key' : 'data-project'}. It has: ${given.join(', ')}`,
      );
    return null;
  }
  const baseUrl = (url ?? serviceOf(tag.src)).replace(/\/+$/, '');
  const client = api.createPosternClient({
    baseUrl,
    projectId: project,
    apiKey: key,
    ...(data.fingerprint === 'off' && { fingerprint: false }),
    ...(timeoutMs !== undefined && { timeoutMs: Number(timeoutMs), fingerprintTimeoutMs: Number(timeoutMs) }),
  });
  defineEmailElement(client);
  const { lang, field, verdictField, malformed } = data;
  const texts = malformed === undefined ? {} : { malformed };
  const reportMissing = () => {
    const headers = { Authorization: `Bearer ${key}`, 'X-Project-Id': project };
    const request = { method: 'POST', headers, body: JSON.stringify({ form }) };
    fetch(baseUrl + PAGE_REPORTS_PATH, { ...request, credentials: 'omit' }).catch(() => {});
  };
  const protect = (found: HTMLFormElement) => client.attach(found, { lang, field, verdictField, texts });
  watchForms(form, field ?? EMAIL_INPUT, protect, reportMissing);
  return client;
}

/** How long a form may take to appear before the dashboard is told that there is none. */
const MISSING_AFTER_MS = 3_000;

/** Calls `protect` for each form whose email field is not protected yet, also for forms that come later. */
function watchForms(
  selector: string,
  field: string,
  protect: (form: HTMLFormElement) => void,
  reportMissing: () => void,
): void {
  const protectAll = () => {
    const forms = [...document.querySelectorAll<HTMLFormElement>(selector)];
    for (const form of forms) {
      const input = form.querySelector(field);
      if (input instanceof HTMLInputElement && !isAttached(input)) protect(form);
    }
    return forms.length;
  };
  const start = () => {
    if (protectAll() === 0) {
      console.warn(`Postern found no form at ${selector} yet. It protects the form when it appears.`);
      setTimeout(() => protectAll() === 0 && reportMissing(), MISSING_AFTER_MS);
    }
    // Turbo, htmx and modals bring a form later, or replace its fields.
    new MutationObserver(protectAll).observe(document, { childList: true, subtree: true });
  };
  // An async script can come before the form.
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
  else start();
}

/** The script comes from the service: `https://postern.example.com/sdk/postern-….js`. */
function serviceOf(src: string): string {
  return src.replace(/\/sdk\/[^/]*$/, '');
}
