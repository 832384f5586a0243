import { setMaxListeners } from 'node:events';
import { type AskServersOptions, askServers } from './ask-servers.ts';
import type { DnsAnswer, DnsFailure } from './dns-answer.ts';
import type { QuestionType } from './dns-message.ts';
import { createFairQueue, type QueuedWork } from './fair-queue.ts';

export interface DnsClientOptions extends Omit<AskServersOptions, 'onQuery'> {
  readonly maxInFlight: number;
  /** The size of the queue. Further queries are not sent. */
  readonly maxWaiting: number;
}

/** Who asks a question. */
export interface Asker {
  /** Projects share the resolver fairly. The empty string is the service itself. */
  readonly project: string;
  /** Aborted when no caller waits for the answer any more. A question that is still queued is then dropped. */
  readonly signal: AbortSignal;
  /** Aborted when the clients behind it have gone. Only questions that are still queued are then dropped. */
  readonly gone?: AbortSignal;
  /** Called if the signal came while the question was still queued. Nothing is known about the name then. */
  readonly onDropped?: () => void;
}

export interface DnsClient {
  /** Never rejects. Concurrent equal questions are sent once. */
  readonly ask: (name: string, type: QuestionType, asker: Asker) => Promise<DnsAnswer>;
  /** Bypasses the queue, so that the canaries do not fail because the service is busy. */
  readonly askUnqueued: (name: string, type: QuestionType) => Promise<DnsAnswer>;
  /** How many queries were sent, including retries and TCP. */
  readonly queriesSent: () => number;
  /** How many questions are queued. */
  readonly waiting: () => number;
  readonly close: () => void;
}

/** A question that is queued or in progress. */
interface Open extends QueuedWork {
  readonly answer: Promise<DnsAnswer>;
  readonly settle: (answer: DnsAnswer) => void;
  /** The callers that still want the answer. */
  readonly askers: Set<Asker>;
  started: boolean;
}

/** How many further replies an alias chain can take. */
const MAX_REDIRECTIONS = 4;

/**
 * Letters, digits, hyphen and underscore. Records can contain any name, and a query for bytes that are not a host name
 * would only cause server errors.
 */
const HOST_NAME = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;
const isHostName = (name: string): boolean => name.length <= 253 && HOST_NAME.test(name);

const failed = (reason: DnsFailure): DnsAnswer => ({ result: 'failed', reason });

export function createDnsClient(options: DnsClientOptions): DnsClient {
  const closing = new AbortController();
  // There is one listener for each question in flight. The default limit of ten only warns about leaks.
  setMaxListeners(0, closing.signal);
  const open = new Map<string, Open>();
  const queue = createFairQueue({ maxRunning: options.maxInFlight, maxWaiting: options.maxWaiting });
  let queriesSent = 0;
  const askOptions: AskServersOptions = {
    ...options,
    onQuery: () => {
      queriesSent++;
    },
  };

  /** Most resolvers send the whole alias chain. If one does not, the rest is queried. */
  async function follow(name: string, type: QuestionType): Promise<DnsAnswer> {
    let target = name;
    let ttlSeconds = Number.POSITIVE_INFINITY;
    for (let hops = 0; hops <= MAX_REDIRECTIONS; hops++) {
      if (!isHostName(target)) return { result: 'no-name', ttlSeconds: 0 };
      const answer = await askServers({ name: target, type }, closing.signal, askOptions);
      if (answer.result === 'failed') return answer;
      ttlSeconds = Math.min(ttlSeconds, answer.ttlSeconds);
      if (answer.result !== 'redirected') return { ...answer, ttlSeconds };
      target = answer.target;
    }
    return failed('server-failure');
  }

  function openQuestion(key: string, name: string, type: QuestionType): Open {
    let settle: Open['settle'] = () => {};
    const answer = new Promise<DnsAnswer>((resolve) => {
      settle = resolve;
    });
    const question: Open = {
      answer,
      settle: (result) => {
        open.delete(key);
        settle(result);
      },
      askers: new Set(),
      started: false,
      start: async () => {
        question.started = true;
        question.settle(closing.signal.aborted ? failed('not-asked') : await follow(name, type));
      },
    };
    open.set(key, question);
    return question;
  }

  /** Registers a caller that waits for the answer. The question is dropped when none is left. */
  function join(question: Open, asker: Asker): void {
    question.askers.add(asker);
    const leave = () => {
      question.askers.delete(asker);
      if (question.started) return;
      asker.onDropped?.();
      if (question.askers.size > 0) return;
      queue.remove(question);
      question.settle(failed('not-asked'));
    };
    const signals = asker.gone === undefined ? [asker.signal] : [asker.signal, asker.gone];
    for (const signal of signals) signal.addEventListener('abort', leave, { once: true });
    void question.answer.then(() => {
      for (const signal of signals) signal.removeEventListener('abort', leave);
    });
    // No caller has waited since before the question was asked.
    if (asker.gone?.aborted) leave();
  }

  return {
    ask: (name, type, asker) => {
      if (closing.signal.aborted || asker.signal.aborted) return Promise.resolve(failed('not-asked'));
      const key = `${type} ${name}`;
      const same = open.get(key);
      if (same !== undefined) {
        // It may be queued behind another project’s questions, so it also joins this project’s queue.
        const waits = !same.started && ![...same.askers].some(({ project }) => project === asker.project);
        if (waits) queue.add(asker.project, same);
        join(same, asker);
        return same.answer;
      }
      const question = openQuestion(key, name, type);
      if (!queue.add(asker.project, question)) question.settle(failed('not-asked'));
      join(question, asker);
      return question.answer;
    },
    askUnqueued: (name, type) =>
      closing.signal.aborted ? Promise.resolve(failed('not-asked')) : follow(name, type),
    queriesSent: () => queriesSent,
    waiting: queue.waiting,
    close: () => {
      closing.abort();
      for (const question of [...open.values()]) {
        if (question.started) continue;
        queue.remove(question);
        question.settle(failed('not-asked'));
      }
    },
  };
}
