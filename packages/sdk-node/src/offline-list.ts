import {
  DAY_MS,
  DISPOSABLE_LIST_MAX_BYTES,
  DISPOSABLE_LIST_PATH,
  DISPOSABLE_LIST_TYPE,
  type DisposableList,
  decodeDisposableList,
} from '@postern/contract';
import type { Fetch } from '@postern/sdk-core';
import { sha256Base64url } from './base64url.ts';
import { readBounded } from './read-bounded.ts';
import { serviceUrl } from './service-url.ts';
import type { VerdictKeys } from './verdict-keys.ts';
import { readJws } from './verdict-token.ts';

export interface OfflineList {
  /**
   * The list, fetched at most once a day. Rejects if there is none yet and it cannot be fetched before `signal` aborts.
   */
  get(signal: AbortSignal): Promise<DisposableList>;
  /** Starts fetching in the background, so that the list is there before it is needed. */
  prepare(): void;
}

export interface OfflineListOptions {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly keys: VerdictKeys;
  readonly now: () => number;
}

const MAX_AGE_MS = DAY_MS;
const RETRY_AFTER_MS = 60_000;
const FETCH_TIMEOUT_MS = 10_000;
const LINE_FEED = 10;

/** The service’s signed list of disposable domains, for when the service cannot be asked. */
export function createOfflineList(options: OfflineListOptions): OfflineList {
  const { now } = options;
  let list: DisposableList | null = null;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let fetchedAtMs = Number.NEGATIVE_INFINITY;
  let inFlight: Promise<void> | null = null;

  const refresh = (): Promise<void> => {
    triedAtMs = now();
    inFlight ??= fetchList(options)
      .then((fetched) => {
        list = fetched;
        fetchedAtMs = now();
      })
      .finally(() => {
        inFlight = null;
      });
    // Callers that need the list await it. A failure in the background is retried later.
    inFlight.catch(() => {});
    return inFlight;
  };
  const prepare = () => {
    if (now() - fetchedAtMs >= MAX_AGE_MS && now() - triedAtMs >= RETRY_AFTER_MS) void refresh();
  };

  return {
    prepare,
    get: async (signal) => {
      prepare();
      // Yesterday’s list is better than waiting.
      if (list === null && inFlight !== null) await Promise.race([inFlight, aborted(signal)]);
      if (list === null) throw new Error('The list of disposable domains could not be fetched');
      return list;
    },
  };
}

async function fetchList({ baseUrl, fetch, keys }: OfflineListOptions): Promise<DisposableList> {
  const response = await fetch(serviceUrl(baseUrl, DISPOSABLE_LIST_PATH), {
    method: 'GET',
    headers: { Accept: 'application/octet-stream' },
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    credentials: 'omit',
  });
  if (response.status !== 200) throw new Error(`List of disposable domains: status ${response.status}`);
  const bytes = await readBounded(response, DISPOSABLE_LIST_MAX_BYTES, 'List of disposable domains');
  return openList(bytes, keys);
}

/** A list that the service did not sign could block every sign-up, so it is not used. */
async function openList(bytes: Uint8Array<ArrayBuffer>, keys: VerdictKeys): Promise<DisposableList> {
  const lineEnd = bytes.indexOf(LINE_FEED);
  const jws = readJws(new TextDecoder().decode(bytes.subarray(0, lineEnd)), DISPOSABLE_LIST_TYPE);
  if (typeof jws === 'string') throw new Error(`List of disposable domains: the signature is ${jws}`);
  const verify = await keys.find(jws.kid);
  if (verify === null || !(await verify(jws.signed, jws.signature))) {
    throw new Error('List of disposable domains: the signature is not the service’s');
  }
  const content = bytes.slice(lineEnd + 1);
  if (jws.claims.sha256 !== (await sha256Base64url(content))) {
    throw new Error('List of disposable domains: the content is not what was signed');
  }
  return decodeDisposableList(content);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new Error('There was no time to fetch the list of disposable domains'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
