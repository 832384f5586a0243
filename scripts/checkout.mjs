import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** The folder that holds the root package.json. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const MINIMUM_NODE = [20, 19];

/** An error that the user can fix. It is printed in one line, without a stack. */
export class Refusal extends Error {}

/** Runs a script’s main function. A `Refusal` prints its message and exits with code 1. */
export async function run(main) {
  try {
    requireNode();
    await main();
  } catch (error) {
    const sentence = error instanceof Refusal ? error.message : folderFault(error.code ?? '', error.path);
    if (sentence === undefined) throw error;
    process.stderr.write(`postern: ${sentence}\n`);
    process.exit(1);
  }
}

/** What the user must do about a full disk or a folder without write access, from an error’s code or a program’s output. */
export function folderFault(text, path = ROOT) {
  if (/ENOSPC|no space left/i.test(text))
    return `The disk of ${path} is full. Free some space, then run the command again.`;
  const [code] = /\b(EACCES|EPERM|EROFS)\b/.exec(text) ?? [];
  if (code === undefined) return undefined;
  return `Cannot write ${path} (${code}): installing and building need write access. Check who owns the folder.`;
}

/** A program that cannot write may end without a word. */
export function isDiskFull() {
  const { bavail, bsize } = statfsSync(ROOT);
  return bavail * bsize < 1024 * 1024;
}

/** The arguments of a command. Wrong ones are refused with the help, which `--help` prints: then there is nothing to do. */
export function readArguments(help, { options, allowPositionals = false }) {
  const config = { options: { help: { type: 'boolean', default: false }, ...options }, allowPositionals };
  try {
    const { values, positionals } = parseArgs(config);
    if (values.help) say(help);
    return { values, positionals };
  } catch (error) {
    throw new Refusal(`${error.message}\n${help}`);
  }
}

/** Progress goes to standard error. Standard output is for the result of the command. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [wantedMajor, wantedMinor] = MINIMUM_NODE;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  throw new Refusal(
    `Node ${process.versions.node} is too old. Postern needs ${MINIMUM_NODE.join('.')} or later: https://nodejs.org`,
  );
}

/**
 * Runs a program in the checkout. `quiet` hides its output unless it fails. Its standard output goes to standard error
 * too, unless it is the result of the command (`inherit`). Returns what a `quiet` program printed.
 */
export function execute(program, args, { output = 'stderr', cwd = ROOT } = {}) {
  const stdio = {
    inherit: ['inherit', 'inherit', 'inherit'],
    stderr: ['ignore', 2, 2],
    quiet: ['ignore', 'pipe', 'pipe'],
  }[output];
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        text += chunk;
      });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code: code ?? 1, signal, text }));
  });
}

/** Runs a program in TypeScript as the command that was asked for, and leaves with its exit status. */
export async function becomeTypeScript(file, args) {
  const all = ['--import', './scripts/typescript.mjs', file, ...args];
  const { code } = await execute(process.execPath, all, { output: 'inherit' });
  process.exitCode = code;
}

/**
 * The program and arguments that run npm. On Windows npm is a batch file, which Node starts only through a shell, so npm’s
 * own JavaScript is run instead where it can be found.
 */
export function npmCommand(args) {
  const beside = join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js');
  const script = [process.env.npm_execpath, beside].find(
    (path) => path?.endsWith('npm-cli.js') && existsSync(path),
  );
  return script === undefined ? ['npm', args] : [process.execPath, [script, ...args]];
}

const LOCK = join(ROOT, '.postern-build.lock');
const LOCK_POLL_MS = 100;

/** Lets one process at a time install or build in this checkout. The others wait and then find it done. */
export async function withLock(work) {
  while (!takeLock()) {
    const holder = lockHolder();
    if (holder === undefined || !isAlive(holder)) rmSync(LOCK, { force: true });
    else await sleep(LOCK_POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(LOCK, { force: true });
  }
}

function takeLock() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function lockHolder() {
  try {
    return Number(readFileSync(LOCK, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
