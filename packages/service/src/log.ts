import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from './config.ts';

export type Log = Logger;

/** JSON lines; on a terminal, the same facts as short lines of text. Nothing that names a person is ever passed in. */
export function createLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Log {
  const text = logFormat === 'text' || (logFormat === 'auto' && process.stdout.isTTY === true);
  const options = {
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: levelName },
  };
  return pino(options, text ? textStream() : pino.destination({ fd: 1, sync: false }));
}

function levelName(label: string): { level: string } {
  return { level: label };
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
