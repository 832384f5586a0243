import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createColors } from 'picocolors';
import { onTestFinished } from 'vitest';
import { OWN_ENVIRONMENT } from '../../../service/test/support/own-environment.ts';
import { runCommand } from '../../dist/main.js';
import type { Terminal } from '../../src/terminal.ts';

const BIN = fileURLToPath(new URL('../../bin/postern.mjs', import.meta.url));

export interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the shape that it expects, and fails if it differs
  readonly json: any;
}

export type Postern = (...args: string[]) => Promise<Run>;

/** The real command in its own process, for a test that ends it early. */
export function startPostern(settings: Readonly<Record<string, string>>, input: string, ...args: string[]) {
  const child = spawn(process.execPath, [BIN, ...args], {
    env: { ...OWN_ENVIRONMENT, ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  return child;
}

/**
 * Runs the command in its own process, with only the given settings as environment. A process takes a second of CPU:
 * this is for tests of the process itself, and of several processes at once.
 */
export function posternProcess(settings: Readonly<Record<string, string>>, input = ''): Postern {
  return (...args) =>
    new Promise((resolve, reject) => {
      const child = startPostern(settings, input, ...args);
      let out = '';
      let error = '';
      child.stdout.on('data', (chunk: Buffer) => {
        out += chunk.toString();
      });
      child.stderr.on('data', (chunk: Buffer) => {
        error += chunk.toString();
      });
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, out, error, json: parsed(out) }));
    });
}

/** The real command, whose reader is gone before it writes, as with `| head`. */
export function posternIntoClosedPipe(...args: string[]): Promise<Pick<Run, 'code' | 'error'>> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...args], {
      env: OWN_ENVIRONMENT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let error = '';
    child.stderr.on('data', (chunk: Buffer) => {
      error += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, error }));
  });
}

/** `posternOn` with its own data folder. */
export async function posternOnFreshStore(): Promise<Postern> {
  return posternOn({ POSTERN_DATA_DIR: await freshFolder() });
}

interface Surroundings {
  /** Standard input of each command. */
  readonly input?: string;
  readonly patienceMs?: number;
}

/** Runs the built command inside the test’s process, with only the given settings as environment. */
export function posternOn(
  environment: Readonly<Record<string, string>>,
  { input = '', patienceMs = 30_000 }: Surroundings = {},
): Postern {
  return async (...args) => {
    let out = '';
    let error = '';
    const terminal: Terminal = {
      out: (text) => {
        out += text;
      },
      outAll: async (lines) => {
        for await (const line of lines) out += line;
      },
      error: (text) => {
        error += text;
      },
      colors: createColors(false),
      interactive: false,
    };
    const context = {
      terminal,
      environment,
      input: Readable.from([Buffer.from(input)]),
      now: Date.now,
      randomBytes,
      version: '0.0.0',
      patienceMs,
    };
    const code = await runCommand(args, context);
    return { code, out, error, json: parsed(out) };
  };
}

export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-cli-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
