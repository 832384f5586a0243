import type { canSubmit, isPosternError } from '@postern/sdk-core';
import type { createPosternClient, PosternClient, PosternClientOptions } from './postern-client.ts';

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
  // Only set while the script runs for the first time.
  const tag = document.currentScript;
  const client = tag instanceof HTMLScriptElement ? clientOf(api, tag) : null;
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
  if (project === undefined || key === undefined) return null;
  const options: PosternClientOptions = {
    baseUrl: url ?? serviceOf(tag.src),
    projectId: project,
    apiKey: key,
    ...(data.fingerprint === 'off' && { fingerprint: false }),
    ...(timeoutMs !== undefined && { timeoutMs: Number(timeoutMs), fingerprintTimeoutMs: Number(timeoutMs) }),
  };
  const client = api.createPosternClient(options);
  const attachAll = () => {
    const forms = [...document.querySelectorAll<HTMLFormElement>(form)];
    if (forms.length === 0) console.error(`Postern found no form at ${form}`);
    const { lang, field, verdictField, malformed } = data;
    const texts = malformed === undefined ? {} : { malformed };
    for (const found of forms) client.attach(found, { lang, field, verdictField, texts });
  };
  // An async script can come before the form.
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', attachAll);
  else attachAll();
  return client;
}

/** The script comes from the service: `https://postern.example.com/sdk/postern-….js`. */
function serviceOf(src: string): string {
  return src.replace(/\/sdk\/[^/]*$/, '');
}
