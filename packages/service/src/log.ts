import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from './config.ts';

export type Log = Logger;

/** Logs that a background job failed; the message says which one and what happens next. */
export type LogFault = (fault: unknown, message: string) => void;

/**
 * JSON lines; on a terminal, the same facts as short lines of text. Callers never pass anything that names a person.
 */
export function createLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Log {
  const text = logFormat === 'text' || (logFormat === 'auto' && process.stdout.isTTY === true);
  const options = {
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  };
  // Other output, such as the welcome text, can also fail on a full disk.
  process.stdout.on('error', () => {});
  return pino(options, text ? textStream() : lineStream());
}

/** How many lines wait for disk space. Further lines are lost. */
const MOST_WAITING_CHARACTERS = 1_000_000;

/** The service must keep running if the log cannot be written. Lines wait until the next write succeeds. */
function lineStream(): DestinationStream {
  const stream = pino.destination({ fd: 1, sync: false, maxLength: MOST_WAITING_CHARACTERS });
  const flushSync = stream.flushSync.bind(stream);
  let failing = false;
  stream.on('error', () => {
    failing = true;
  });
  stream.on('write', () => {
    failing = false;
  });
  // On a full disk it would retry forever and block the whole process.
  stream.flushSync = () => {
    if (!failing) flushSync();
  };
  return stream;
}

/** The cause of a failure of the store is in its code and message. Its stack would only tell where we noticed. */
function describeError(error: Error & { readonly code?: unknown }): unknown {
  if (error?.name !== 'StoreUnavailable') return pino.stdSerializers.err(error);
  return { type: error.name, code: error.code, message: error.message };
}

function textStream(): DestinationStream {
  return {
    write: (line) => {
      const { level, time, msg, ...facts } = JSON.parse(line) as Record<string, unknown>;
      const details = Object.entries(facts).map(
        ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      );
      process.stdout.write(
        `${String(time).slice(11, 19)} ${String(level).padEnd(5)} ${msg} ${details.join(' ')}\n`,
      );
    },
  };
}
