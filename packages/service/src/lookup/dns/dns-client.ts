import { setMaxListeners } from 'node:events';
import { type AskServersOptions, askServers } from './ask-servers.ts';
import type { DnsAnswer, DnsFailure } from './dns-answer.ts';
import type { QuestionType } from './dns-message.ts';

export interface DnsClientOptions extends Omit<AskServersOptions, 'onQuery'> {
  readonly maxInFlight: number;
  /** Questions that wait for their turn; those beyond are not asked. */
  readonly maxWaiting: number;
}

export interface DnsClient {
  /** Never rejects. Equal questions at the same time become one. */
  readonly ask: (name: string, type: QuestionType) => Promise<DnsAnswer>;
  /** Past the queue: the canaries must not fail because the service is busy. */
  readonly askUrgently: (name: string, type: QuestionType) => Promise<DnsAnswer>;
  /** How many queries went out, retries and TCP included. */
  readonly queriesSent: () => number;
  readonly close: () => void;
}

const MAX_REDIRECTIONS = 8;

/**
 * Letters, digits, hyphen and underscore. Records can name anything, and a query for bytes that are no host’s name would
 * only make a server stumble.
 */
const HOST_NAME = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;
const isHostName = (name: string): boolean => name.length <= 253 && HOST_NAME.test(name);

const failed = (reason: DnsFailure): DnsAnswer => ({ outcome: 'failed', reason });

export function createDnsClient(options: DnsClientOptions): DnsClient {
  const closing = new AbortController();
  // One listener for each question in flight; the default limit of ten is a guess at leaks.
  setMaxListeners(0, closing.signal);
  const asking = new Map<string, Promise<DnsAnswer>>();
  const waiting: (() => void)[] = [];
  let running = 0;
  let queriesSent = 0;
  const askOptions: AskServersOptions = {
    ...options,
    onQuery: () => {
      queriesSent++;
    },
  };

  /** Resolvers send the whole chain of aliases as a rule; where one does not, the rest is asked for. */
  async function follow(name: string, type: QuestionType): Promise<DnsAnswer> {
    let target = name;
    let ttlSeconds = Number.POSITIVE_INFINITY;
    for (let hops = 0; hops <= MAX_REDIRECTIONS; hops++) {
      if (!isHostName(target)) return { outcome: 'no-name', ttlSeconds: 0 };
      const answer = await askServers({ name: target, type }, closing.signal, askOptions);
      if (answer.outcome === 'failed') return answer;
      ttlSeconds = Math.min(ttlSeconds, answer.ttlSeconds);
      if (answer.outcome !== 'redirected') return { ...answer, ttlSeconds };
      target = answer.target;
    }
    return failed('server-failure');
  }

  async function takeTurn(name: string, type: QuestionType): Promise<DnsAnswer> {
    if (running >= options.maxInFlight) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return closing.signal.aborted ? failed('not-asked') : await follow(name, type);
    } finally {
      // The turn goes straight to the next in line, so that `running` never drops below what runs.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  }

  return {
    ask: (name, type) => {
      const key = `${type} ${name}`;
      const same = asking.get(key);
      if (same !== undefined) return same;
      const full = running >= options.maxInFlight && waiting.length >= options.maxWaiting;
      if (full || closing.signal.aborted) return Promise.resolve(failed('not-asked'));
      const answer = takeTurn(name, type).finally(() => asking.delete(key));
      asking.set(key, answer);
      return answer;
    },
    askUrgently: (name, type) =>
      closing.signal.aborted ? Promise.resolve(failed('not-asked')) : follow(name, type),
    queriesSent: () => queriesSent,
    close: () => closing.abort(),
  };
}
