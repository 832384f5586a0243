import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import type { Log, LogFault } from '../log.ts';
import type { Store } from '../store/store.ts';
import type { ChainedAuditRow } from '../store/tables/audit-table.ts';
import type { SafeFetch } from './safe-fetch/safe-fetch.ts';

export interface AuditStreamParts {
  readonly store: Pick<Store, 'audit' | 'counters'>;
  /** `syslog://`, `syslog+tcp://` or `syslog+tls://` with host and port, or an `http(s)://` address. */
  readonly target: string;
  readonly fetch: SafeFetch;
  readonly logFault: LogFault;
  readonly log: Pick<Log, 'info'>;
  readonly now: () => number;
}

const LOOK_EVERY_MS = 2_000;
const ROWS_AT_ONCE = 200;
const TIMEOUT_MS = 10_000;
/** Of several machines, one sends in each window. A row can still arrive twice; `seq` shows it. */
const WINDOW_MS = 5_000;
/** Facility 13 (log audit), severity 5 (notice), as RFC 5424, section 6.2.1, counts them. */
const PRIORITY = 13 * 8 + 5;

/**
 * Sends the audit log’s rows to another place, in order, each at least once. What was sent is noted in the store. The log
 * gets a line when it begins to fail and one when it works again.
 */
export function startAuditStream(parts: AuditStreamParts): () => void {
  let busy = false;
  let failing: { readonly since: number; failures: number } | undefined;
  const failed = (fault: unknown) => {
    if (failing === undefined) parts.logFault(fault, 'could not send the audit log; trying again');
    failing = { since: failing?.since ?? parts.now(), failures: (failing?.failures ?? 0) + 1 };
  };
  const look = async () => {
    if (busy) return;
    busy = true;
    await streamAudit(parts)
      .then((sent) => {
        if (failing === undefined || !sent) return;
        const { since, failures } = failing;
        parts.log.info({ lastedMs: parts.now() - since, failures }, 'sends the audit log again');
        failing = undefined;
      })
      .catch(failed)
      .finally(() => {
        busy = false;
      });
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
}

/** Whether anything was sent. */
async function streamAudit(parts: AuditStreamParts): Promise<boolean> {
  const { store, now } = parts;
  await store.audit.chain();
  for (let isTurn = false; ; isTurn = true) {
    const sent = await store.audit.streamedTo();
    const rows = await store.audit.after(sent, ROWS_AT_ONCE);
    const last = rows.at(-1)?.seq;
    if (last == null) return isTurn;
    if (!isTurn && (await store.counters.count('audit-stream', WINDOW_MS, now())).count !== 1) return false;
    await send(parts, rows.map(lineOf));
    await store.audit.noteStreamed(sent, last);
  }
}

/** One row as JSON, on one line. */
function lineOf({ at, ...row }: ChainedAuditRow): string {
  return JSON.stringify({ time: new Date(at).toISOString(), ...row });
}

function send({ target, fetch }: AuditStreamParts, lines: readonly string[]): Promise<void> {
  const url = new URL(target);
  if (url.protocol.startsWith('http')) return post(target, lines, fetch);
  const messages = lines.map(syslogMessage);
  return url.protocol === 'syslog:' ? sendDatagrams(url, messages) : sendStream(url, messages);
}

async function post(url: string, lines: readonly string[], fetch: SafeFetch): Promise<void> {
  // `http.request` sends user and password of the URL as Basic authentication.
  const { status, cancel } = await fetch({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: `${lines.join('\n')}\n`,
    trustUrl: true,
    maxBytes: 0,
    timeoutMs: TIMEOUT_MS,
  });
  cancel();
  if (status < 200 || status > 299) throw new Error(`The receiver of the audit log answered ${status}`);
}

/** RFC 5424, section 6. The time is the row’s. */
function syslogMessage(line: string): Buffer {
  const { time, action } = JSON.parse(line) as { readonly time: string; readonly action: string };
  const header = `<${PRIORITY}>1 ${time} ${hostname()} postern ${process.pid} ${action}`;
  return Buffer.from(`${header} - ${line}`);
}

async function sendDatagrams({ hostname: host, port }: URL, messages: readonly Buffer[]): Promise<void> {
  const bare = host.replace(/^\[|\]$/g, '');
  const socket = createSocket(bare.includes(':') ? 'udp6' : 'udp4');
  try {
    for (const message of messages)
      await new Promise<void>((resolve, reject) => {
        socket.send(message, Number(port || 514), bare, (fault) => (fault ? reject(fault) : resolve()));
      });
  } finally {
    socket.close();
  }
}

/** Each message with its length before it (RFC 6587, section 3.4.1; RFC 5425 over TLS). */
function sendStream({ protocol, hostname: host, port }: URL, messages: readonly Buffer[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = {
      host: host.replace(/^\[|\]$/g, ''),
      port: Number(port || (protocol === 'syslog+tls:' ? 6514 : 601)),
    };
    const socket =
      protocol === 'syslog+tls:' ? connectTls({ ...options, servername: options.host }) : connect(options);
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('The receiver of the audit log is silent')));
    socket.once('error', reject);
    socket.once('close', () => resolve());
    socket.resume();
    for (const message of messages) {
      socket.write(`${message.length} `);
      socket.write(message);
    }
    socket.end();
  });
}
