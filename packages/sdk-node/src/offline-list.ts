import type { Fetch } from 'postern~sdk/core';
import {
  DAY_MS,
  DISPOSABLE_LIST_MAX_BYTES,
  DISPOSABLE_LIST_PATH,
  DISPOSABLE_LIST_TYPE,
  type DisposableList,
  decodeDisposableList,
} from '@postern/contract';
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

/** Keeps the list for processes that start during an outage, as those of a serverless host do. */
export interface OfflineListStore {
  /** What `save` got last, from any process. It is trusted: while the service is down, its keys cannot be fetched. */
  load(): Promise<Uint8Array | null | undefined>;
  save(list: Uint8Array): Promise<void>;
}

export interface OfflineListOptions {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly keys: VerdictKeys;
  readonly store: OfflineListStore | undefined;
  readonly now: () => number;
}

const MAX_AGE_MS = DAY_MS;
const RETRY_AFTER_MS = 60_000;
const FETCH_TIMEOUT_MS = 10_000;
const LINE_FEED = 10;

/** The service’s signed list of disposable domains, for when the service cannot be asked. */
export function createOfflineList(options: OfflineListOptions): OfflineList {
  const { now, store } = options;
  let list: DisposableList | null = null;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let fetchedAtMs = Number.NEGATIVE_INFINITY;
  let inFlight: Promise<void> | null = null;

  const refresh = (): Promise<void> => {
    triedAtMs = now();
    inFlight ??= fetchList(options)
      .then(async (bytes) => {
        list = await openList(bytes, options.keys);
        fetchedAtMs = now();
        // The process has its list, so a store that fails is tried again tomorrow.
        store?.save(bytes).catch(() => {});
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

  /** A store that fails is as good as an empty one. */
  const load = async (signal: AbortSignal): Promise<DisposableList | null> => {
    if (store === undefined) return null;
    try {
      const bytes = await Promise.race([store.load(), aborted(signal)]);
      return bytes ? decodeDisposableList((await readList(new Uint8Array(bytes))).content) : null;
    } catch {
      return null;
    }
  };

  return {
    prepare,
    get: async (signal) => {
      prepare();
      if (list === null) {
        const loaded = await load(signal);
        list ??= loaded;
      }
      // Yesterday’s list is better than waiting.
      if (list === null && inFlight !== null) await Promise.race([inFlight, aborted(signal)]);
      if (list === null) throw new Error('The list of disposable domains could not be fetched');
      return list;
    },
  };
}

async function fetchList({ baseUrl, fetch }: OfflineListOptions): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(serviceUrl(baseUrl, DISPOSABLE_LIST_PATH), {
    method: 'GET',
    headers: { Accept: 'application/octet-stream' },
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    credentials: 'omit',
  });
  if (response.status !== 200) throw new Error(`List of disposable domains: status ${response.status}`);
  return readBounded(response, DISPOSABLE_LIST_MAX_BYTES, 'List of disposable domains');
}

/** A list that the service did not sign could block every sign-up, so it is not used. */
async function openList(bytes: Uint8Array<ArrayBuffer>, keys: VerdictKeys): Promise<DisposableList> {
  const { jws, content } = await readList(bytes);
  const verify = await keys.find(jws.kid);
  if (verify === null || !(await verify(jws.signed, jws.signature))) {
    throw new Error('List of disposable domains: the signature is not the service’s');
  }
  return decodeDisposableList(content);
}

/** The signature’s line, not yet verified, and the content that it is about. */
async function readList(bytes: Uint8Array<ArrayBuffer>) {
  const lineEnd = bytes.indexOf(LINE_FEED);
  const jws = readJws(new TextDecoder().decode(bytes.subarray(0, lineEnd)), DISPOSABLE_LIST_TYPE);
  if (typeof jws === 'string') throw new Error(`List of disposable domains: the signature is ${jws}`);
  const content = bytes.slice(lineEnd + 1);
  if (jws.claims.sha256 !== (await sha256Base64url(content))) {
    throw new Error('List of disposable domains: the content is not what was signed');
  }
  return { jws, content };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new Error('There was no time to fetch the list of disposable domains'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
