import type { OutgoingProxy } from '../../events/safe-fetch/outgoing-proxy.ts';
import { createSafeFetch, type SafeRequest } from '../../events/safe-fetch/safe-fetch.ts';
import { SafeFetchError } from '../../events/safe-fetch/safe-fetch-error.ts';

/** The provider did not answer, or not as it should. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault';
  readonly problem: 'unreachable' | 'misconfigured' | 'refused';

  constructor(problem: ProviderFault['problem'], message: string) {
    super(message);
    this.problem = problem;
  }
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;

/** Fetches a JSON object from the provider. The settings name the provider, so its address may be a private one. */
export type FetchJson = (
  url: string,
  request?: Pick<SafeRequest, 'method' | 'headers' | 'body'>,
) => Promise<Readonly<Record<string, unknown>>>;

export function createFetchJson(proxy: OutgoingProxy | undefined): FetchJson {
  const safeFetch = createSafeFetch({ proxy });
  return async (url, request = {}) => {
    const { origin, pathname } = new URL(url);
    const place = origin + pathname;
    try {
      const answer = await safeFetch({
        url,
        ...request,
        headers: { accept: 'application/json', ...request.headers },
        trustUrl: true,
        maxRedirects: 0,
        maxBytes: MAX_BYTES,
        timeoutMs: TIMEOUT_MS,
      });
      return readAnswer(place, answer.status, (await answer.bytes()).toString('utf8'));
    } catch (fault) {
      if (!(fault instanceof SafeFetchError)) throw fault;
      const problem = fault.reason === 'too-large' ? 'misconfigured' : 'unreachable';
      throw new ProviderFault(problem, `${place} ${fault.message}.`);
    }
  };
}

function readAnswer(place: string, status: number, text: string): Readonly<Record<string, unknown>> {
  const json = parsed(text);
  if (status >= 500) throw new ProviderFault('unreachable', `${place} answered ${status}.`);
  if (status >= 300) {
    const error = typeof json?.error === 'string' ? `: ${json.error.slice(0, 100)}` : '';
    // A wrong secret or client is the operator’s to mend, a code that was used already is not.
    const problem = json?.error === 'invalid_grant' ? 'refused' : 'misconfigured';
    throw new ProviderFault(problem, `${place} answered ${status}${error}.`);
  }
  if (json === undefined)
    throw new ProviderFault('misconfigured', `${place} did not answer with a JSON object.`);
  return json;
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
