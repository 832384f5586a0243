import { createSafeFetch, type SafeFetch } from '../events/safe-fetch/safe-fetch.ts';

/** What an earlier answer said of itself, for asking whether it still holds. */
export interface FeedValidators {
  readonly etag?: string;
  readonly lastModified?: string;
}

export type FeedAnswer =
  | { readonly changed: false }
  | { readonly changed: true; readonly text: string; readonly validators: FeedValidators };

export interface FetchLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Whether the source itself may be at a private address: an operator’s own mirror. A redirect never may. */
  readonly allowPrivate: boolean;
  readonly onBytes?: (received: number, total: number | undefined) => void;
}

export type FetchFeed = (url: string, known: FeedValidators, limits: FetchLimits) => Promise<FeedAnswer>;

/** Fetches one file, only if it changed. */
export function createFetchFeed(safeFetch: SafeFetch = createSafeFetch()): FetchFeed {
  return async (url, known, { maxBytes, timeoutMs, allowPrivate, onBytes }) => {
    const response = await safeFetch({
      url,
      maxBytes,
      timeoutMs,
      trustUrl: allowPrivate,
      headers: {
        accept: 'text/plain, text/csv, */*',
        'accept-encoding': 'identity',
        'user-agent': 'postern',
        ...(known.etag !== undefined && { 'if-none-match': known.etag }),
        ...(known.lastModified !== undefined && { 'if-modified-since': known.lastModified }),
      },
    });
    try {
      const { status, headers, statedBytes } = response;
      if (status === 304) return { changed: false };
      if (status !== 200) throw new Error(`answered ${status}`);
      if (/\bhtml\b/.test(headers['content-type'] ?? '')) throw new Error('is a web page, not a list');
      const chunks: Uint8Array[] = [];
      let received = 0;
      for await (const chunk of response.chunks()) {
        chunks.push(chunk);
        received += chunk.length;
        onBytes?.(received, statedBytes);
      }
      const { etag, 'last-modified': lastModified } = headers;
      const validators = {
        ...(etag !== undefined && { etag }),
        ...(lastModified !== undefined && { lastModified }),
      };
      return { changed: true, text: Buffer.concat(chunks).toString('utf8'), validators };
    } finally {
      response.cancel();
    }
  };
}
