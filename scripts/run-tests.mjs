import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './checkout.mjs';
import { closingLine, describeFlaky, describeMissing } from './closing-line-reporter.mjs';

const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');

/**
 * Runs vitest and prints the closing line. Returns the exit status.
 *
 * The status is 0 only if vitest exited with 0 and its reporter says that the run finished without a failure. Either
 * alone is not enough: an exit hook inside the runner can turn its status into 0.
 */
export async function runTests(args, limitMs) {
  const folder = mkdtempSync(join(tmpdir(), 'postern-test-counts-'));
  const countsFile = join(folder, 'counts.json');
  try {
    const { code, timedOut } = await runVitest(args, countsFile, limitMs);
    const isCi = !['', '0', 'false'].includes(process.env.CI ?? '');
    const verdict = judgeRun({ code, timedOut, limitMs, isCi, counts: readCounts(countsFile) });
    for (const line of verdict.problems) process.stderr.write(`\npostern: ${line}\n`);
    process.stdout.write(['', ...verdict.notes, closingLine(verdict.counts), ''].join('\n'));
    return verdict.status;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Derives the exit status, the closing line, the problems that vitest did not print, and what was skipped because this
 * machine lacks something. In CI that is a problem: there, every test must run.
 */
export function judgeRun({ code, timedOut, limitMs, isCi, counts }) {
  const { passed, failed, skipped } = counts ?? { passed: 0, failed: 0, skipped: 0 };
  const problems = [];
  if (timedOut) {
    problems.push(`The test run did not end within ${limitMs / 1000} seconds and was killed.`);
  } else if (counts === undefined || !counts.finished) {
    problems.push(`The test run ended before it had finished (exit status ${code}).`);
  } else if (code !== 0 && failed === 0) {
    problems.push(`The test run failed outside the tests (exit status ${code}). See the messages above.`);
  }
  const notes = (counts?.missing ?? []).map(describeMissing);
  if (isCi) problems.push(...notes.splice(0).map((note) => `In CI every test must run. ${note}`));
  notes.push(...(counts?.flaky ?? []).map(describeFlaky));
  const ok = code === 0 && failed === 0 && problems.length === 0;
  return {
    status: ok ? 0 : code || 1,
    problems,
    notes,
    counts: { passed, skipped, failed: failed + problems.length },
  };
}

/** Vitest runs in its own process group, so that the time limit also ends its workers and their children. */
function runVitest(args, countsFile, limitMs) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [VITEST, 'run', ...args], {
      cwd: ROOT,
      detached: true,
      stdio: 'inherit',
      env: { ...process.env, TEST_COUNTS_FILE: countsFile },
    });
    let timedOut = false;
    const limit = setTimeout(() => {
      timedOut = true;
      killGroup(child.pid, 'SIGKILL');
    }, limitMs);
    const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
      const forward = () => killGroup(child.pid, signal);
      process.on(signal, forward);
      return () => process.off(signal, forward);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(limit);
      for (const stop of forwarded) stop();
      resolve({ code: code ?? 1, timedOut });
    });
  });
}

function killGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
