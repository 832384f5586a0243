import { lookup as systemLookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { parseIpAddress } from '../model/ip-address.ts';
import { isReserved } from '../model/reserved-networks.ts';

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

const MOST_REDIRECTS = 5;

/** Fetches one file: only if it changed, within its limits, and never from an address inside the operator’s network. */
export const fetchFeed: FetchFeed = async (url, known, limits) => {
  const signal = AbortSignal.timeout(limits.timeoutMs);
  let current = new URL(url);
  for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
    const allowPrivate = limits.allowPrivate && hops === 0;
    const response = await open(current, known, allowPrivate, signal);
    const { statusCode = 0, headers } = response;
    if (statusCode >= 300 && statusCode < 400 && statusCode !== 304 && headers.location !== undefined) {
      response.destroy();
      const next = new URL(headers.location, current);
      if (current.protocol === 'https:' && next.protocol !== 'https:')
        throw new Error('redirects away from HTTPS');
      current = next;
      continue;
    }
    if (statusCode === 304) {
      response.destroy();
      return { changed: false };
    }
    if (statusCode !== 200) {
      response.destroy();
      throw new Error(`answered ${statusCode}`);
    }
    if (/\bhtml\b/.test(headers['content-type'] ?? '')) {
      response.destroy();
      throw new Error('is a web page, not a list');
    }
    const text = await read(response, limits);
    return { changed: true, text, validators: validatorsOf(headers) };
  }
  throw new Error(`redirects more than ${MOST_REDIRECTS} times`);
};

function open(
  url: URL,
  known: FeedValidators,
  allowPrivate: boolean,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const request =
    url.protocol === 'https:' ? httpsRequest : url.protocol === 'http:' ? httpRequest : undefined;
  if (request === undefined) return Promise.reject(new Error(`${url.protocol} is not fetched`));
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (!allowPrivate && isIP(literal) !== 0 && !isPublic(literal))
    return Promise.reject(new Error('points to a private address'));
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        signal,
        headers: {
          accept: 'text/plain, text/csv, */*',
          'accept-encoding': 'identity',
          'user-agent': 'postern',
          ...(known.etag !== undefined && { 'if-none-match': known.etag }),
          ...(known.lastModified !== undefined && { 'if-modified-since': known.lastModified }),
        },
        ...(!allowPrivate && { lookup: publicLookup }),
      },
      resolve,
    );
    sent.on('error', (error) => reject(signal.aborted ? new Error('took too long') : error));
    sent.end();
  });
}

/** Resolves names and lets only public addresses through: the check is on the address that is connected to. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '', 0);
    const allowed = addresses.filter(({ address }) => isPublic(address));
    const [first] = allowed;
    if (first === undefined) return callback(new Error(`${hostname} points to a private address`), '', 0);
    return options.all === true ? callback(null, allowed) : callback(null, first.address, first.family);
  });
};

function isPublic(address: string): boolean {
  const ip = parseIpAddress(address);
  return ip !== undefined && !isReserved(ip);
}

async function read(response: IncomingMessage, { maxBytes, onBytes }: FetchLimits): Promise<string> {
  const { 'content-length': stated } = response.headers;
  const total = stated === undefined ? undefined : Number(stated);
  if (total !== undefined && total > maxBytes) {
    response.destroy();
    throw new Error(`has ${total} bytes, more than ${maxBytes}`);
  }
  const chunks: Buffer[] = [];
  let received = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    received += chunk.length;
    if (received > maxBytes) {
      response.destroy();
      throw new Error(`has more than ${maxBytes} bytes`);
    }
    chunks.push(chunk);
    onBytes?.(received, total);
  }
  if (!response.complete || (total !== undefined && received !== total)) throw new Error('ended too early');
  return Buffer.concat(chunks).toString('utf8');
}

function validatorsOf({ etag, 'last-modified': lastModified }: IncomingMessage['headers']): FeedValidators {
  return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
}
