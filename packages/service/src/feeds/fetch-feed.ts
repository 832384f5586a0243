import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createSafeFetch, type SafeFetch } from '../events/safe-fetch/safe-fetch.ts';

/** The validators of an earlier response, for a conditional request. */
export interface FeedValidators {
  readonly etag?: string;
  readonly lastModified?: string;
}

type FeedAnswer =
  | { readonly changed: false }
  | { readonly changed: true; readonly validators: FeedValidators };

interface FetchOptions {
  /** The file for the body. */
  readonly file: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Whether the source itself can be at a private address, such as an operator’s own mirror. A redirect never can. */
  readonly allowPrivate: boolean;
  readonly onBytes?: (received: number, total: number | undefined) => void;
}

export type FetchFeed = (
  url: string,
  validators: FeedValidators,
  options: FetchOptions,
) => Promise<FeedAnswer>;

/** The server says that the file no longer exists. */
export class FeedGone extends Error {}

/** Fetches one list into a file, only if it changed. */
export function createFetchFeed(safeFetch: SafeFetch = createSafeFetch()): FetchFeed {
  return async (url, validators, { file, maxBytes, timeoutMs, allowPrivate, onBytes }) => {
    const response = await safeFetch({
      url,
      maxBytes,
      timeoutMs,
      trustUrl: allowPrivate,
      headers: {
        accept: 'text/plain, text/csv, */*',
        'accept-encoding': 'identity',
        'user-agent': 'postern',
        ...(validators.etag !== undefined && { 'if-none-match': validators.etag }),
        ...(validators.lastModified !== undefined && { 'if-modified-since': validators.lastModified }),
      },
    });
    try {
      const { status, headers, statedBytes } = response;
      if (status === 304) return { changed: false };
      if (status === 404 || status === 410)
        throw new FeedGone(`answered ${status}: it no longer exists there`);
      if (status !== 200) throw new Error(`answered ${status}`);
      if (/\bhtml\b/.test(headers['content-type'] ?? '')) throw new Error('is a web page, not a list');
      let received = 0;
      await pipeline(
        response.chunks(),
        async function* (chunks: AsyncIterable<Uint8Array>) {
          for await (const chunk of chunks) {
            received += chunk.length;
            onBytes?.(received, statedBytes);
            yield chunk;
          }
        },
        createWriteStream(file, { mode: 0o600 }),
      );
      const { etag, 'last-modified': lastModified } = headers;
      const validators = {
        ...(etag !== undefined && { etag }),
        ...(lastModified !== undefined && { lastModified }),
      };
      return { changed: true, validators };
    } finally {
      response.cancel();
    }
  };
}
