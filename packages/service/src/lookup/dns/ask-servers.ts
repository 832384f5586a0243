import { shortageCode } from '../../model/resource-shortage.ts';
import { type DnsAnswer, type DnsFailure, interpretReply, type Redirection } from './dns-answer.ts';
import { type DnsQuestion, type DnsReply, RCODE } from './dns-message.ts';
import type { DnsServer, DnsServers } from './dns-servers.ts';
import { askOverTcp, askOverUdp } from './dns-transport.ts';

export interface AskServersOptions {
  readonly servers: DnsServers;
  /** After this long without an answer the next server is asked too. The first answer counts. */
  readonly retryAfterMs: number;
  /** After this long the query has failed. */
  readonly deadlineMs: number;
  /** Unpredictable numbers from 0 to 65,535. */
  readonly randomId: () => number;
  readonly onQuery: () => void;
  /** A query could not be sent, because our own machine lacks something. */
  readonly onShortage: (code: string) => void;
}

type AnswerOrRedirection = DnsAnswer | Redirection;

const MIN_TRIES = 3;
const SHORTAGE_RETRY_MS = 100;
const NO_EDNS: readonly number[] = [RCODE.FORMERR, RCODE.NOTIMP, RCODE.BADVERS];

/** Asks one server: over UDP, without EDNS if the server does not support it, over TCP if the answer was truncated. */
async function askServer(
  server: DnsServer,
  question: DnsQuestion,
  signal: AbortSignal,
  options: AskServersOptions,
): Promise<DnsReply> {
  const send = (transport: typeof askOverUdp) => {
    options.onQuery();
    return transport(server.address, { question, id: options.randomId(), edns: server.edns }, signal);
  };
  let reply = await send(askOverUdp);
  if (server.edns && NO_EDNS.includes(reply.rcode)) {
    server.edns = false;
    reply = await send(askOverUdp);
  }
  return reply.truncated ? send(askOverTcp) : reply;
}

/**
 * Asks the servers one after the other. The answer of a slow server still counts while the next one is being asked. A
 * server that cannot answer this query is not asked again.
 */
export function askServers(
  question: DnsQuestion,
  closing: AbortSignal,
  options: AskServersOptions,
): Promise<AnswerOrRedirection> {
  const { servers, retryAfterMs, deadlineMs, onShortage } = options;
  return new Promise((resolve) => {
    const tries = new AbortController();
    let candidates = servers.inOrder();
    let triesLeft = Math.max(MIN_TRIES, candidates.length);
    let open = 0;
    let reason: DnsFailure = candidates.length === 0 ? 'server-failure' : 'timeout';
    let retryTimer: NodeJS.Timeout | undefined;

    const end = (answer: AnswerOrRedirection) => {
      clearTimeout(retryTimer);
      clearTimeout(deadline);
      closing.removeEventListener('abort', onClose);
      tries.abort();
      resolve(answer);
    };
    const onClose = () => end({ result: 'failed', reason: 'not-asked' });
    const deadline = setTimeout(() => end({ result: 'failed', reason }), deadlineMs);
    closing.addEventListener('abort', onClose);

    const tryNext = () => {
      clearTimeout(retryTimer);
      const [server, ...others] = candidates;
      if (server === undefined || triesLeft === 0) {
        if (open === 0) end({ result: 'failed', reason });
        return;
      }
      candidates = [...others, server];
      triesLeft--;
      open++;
      retryTimer = setTimeout(() => {
        servers.failed(server);
        tryNext();
      }, retryAfterMs);
      const giveUp = () => {
        reason = 'server-failure';
        candidates = candidates.filter((candidate) => candidate !== server);
        tryNext();
      };
      askServer(server, question, tries.signal, options).then(
        (reply) => {
          open--;
          if (tries.signal.aborted) return;
          const answer = interpretReply(reply, question);
          // A server that reports a failure is still working: the domain may be broken. One that refuses is useless.
          if (reply.rcode === RCODE.REFUSED) servers.failed(server);
          else servers.succeeded(server);
          if (answer.result === 'failed') giveUp();
          else end(answer);
        },
        (error: unknown) => {
          open--;
          if (tries.signal.aborted) return;
          const shortage = shortageCode(error);
          if (shortage === undefined) {
            servers.failed(server);
            giveUp();
            return;
          }
          // The server is not to blame, and something may have been closed a little later.
          reason = 'no-resources';
          onShortage(shortage);
          clearTimeout(retryTimer);
          retryTimer = setTimeout(tryNext, SHORTAGE_RETRY_MS);
        },
      );
    };
    tryNext();
  });
}
