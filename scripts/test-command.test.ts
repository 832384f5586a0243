import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from './checkout.mjs';

/**
 * Runs the real test command on fixtures with a known fault. A test command that passes them cannot detect failures,
 * and then no other test means anything.
 */

const CONFIG = 'scripts/test/fixtures/vitest.config.ts';
const TIMEOUT_MS = 180_000;

interface Outcome {
  readonly status: number | null;
  readonly output: string;
  readonly lastLine: string;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'postern-test-command-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function testCommand(fixture: string, env: NodeJS.ProcessEnv = {}, config = CONFIG): Promise<Outcome> {
  const args = ['scripts/test.mjs', '--config', config, `fixtures/${fixture}.fixture`];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...withoutVitest(process.env), ...env },
    });
    let output = '';
    // Two pipes may be read in any order, so the last line is that of standard output.
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      printed += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', (status) =>
      resolve({ status, output, lastLine: printed.trimEnd().split('\n').at(-1) ?? '' }),
    );
  });
}

/** The command must run as a person would run it, not as a child of this vitest. */
function withoutVitest(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inherited = /^(VITEST|TEST_|NODE_ENV$|NODE_OPTIONS$)/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !inherited.test(name)));
}

describe('npm test', { timeout: TIMEOUT_MS }, () => {
  it('exits with 0 when every test passes', async () => {
    const { status, lastLine } = await testCommand('passing');
    expect({ status, lastLine }).toEqual({ status: 0, lastLine: '1 passed, 0 failed, 1 skipped' });
  });

  it.each([
    ['a test that fails', 'failing', '1 passed, 1 failed, 0 skipped'],
    ['a failure while PostgreSQL runs', 'failing-beside-postgres', '0 passed, 1 failed, 0 skipped'],
    ['a file that throws when it is loaded', 'throwing-import', '0 passed, 1 failed, 0 skipped'],
    ['a hook that throws', 'throwing-hook', '0 passed, 1 failed, 1 skipped'],
    ['an unhandled rejection', 'rejecting', '1 passed, 1 failed, 0 skipped'],
    ['a test that never ends', 'hanging', '0 passed, 1 failed, 0 skipped'],
    ['a hook that never ends', 'hanging-hook', '1 passed, 1 failed, 0 skipped'],
    ['a worker that dies', 'dying', '0 passed, 1 failed, 0 skipped'],
  ])('exits with 1 after %s', async (_, fixture, closingLine) => {
    const { status, output, lastLine } = await testCommand(fixture);
    expect({ status, lastLine }, output).toEqual({ status: 1, lastLine: closingLine });
  });

  it('skips what needs a browser if there is none, says so before the closing line, and fails in CI', async () => {
    const without = { CI: '', TEST_WITHOUT: 'browser' };
    const { status, output, lastLine } = await testCommand('needing', without);
    expect({ status, lastLine }).toEqual({ status: 0, lastLine: '0 passed, 0 failed, 1 skipped' });
    expect(output).toMatch(
      /\n1 test file was skipped: there is no browser \(.*\)\. To change that: .*\n0 passed/,
    );
    const inCi = await testCommand('needing', { ...without, CI: 'true' });
    expect(inCi).toMatchObject({ status: 1, lastLine: '0 passed, 1 failed, 1 skipped' });
  });

  it('exits with 1 when no test file matches', async () => {
    const { status, lastLine } = await testCommand('no-such');
    expect(status).toBe(1);
    expect(lastLine).toBe('0 passed, 1 failed, 0 skipped');
  });

  it('exits with 1 even if a library turns the runner’s own status into 0', async () => {
    const config = 'scripts/test/fixtures/exit-hook.vitest.config.ts';
    const { status, lastLine } = await testCommand('failing', {}, config);
    expect({ status, lastLine }).toEqual({ status: 1, lastLine: '1 passed, 1 failed, 0 skipped' });
  });

  it('kills a run that never ends, with its workers', async () => {
    const pidFile = join(folder, 'pid');
    const env = { TEST_LIMIT_SECONDS: '15', TEST_FIXTURE_PID_FILE: pidFile };
    const { status, output, lastLine } = await testCommand('blocking', env);
    expect(output).toContain('The test run did not end within 15 seconds and was killed.');
    expect({ status, lastLine }).toEqual({ status: 1, lastLine: '0 passed, 1 failed, 0 skipped' });
    // On a very slow machine the limit may come before the fixture starts; then there is no worker to look for.
    const pid = readPid(pidFile);
    if (pid !== undefined) await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

function readPid(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
