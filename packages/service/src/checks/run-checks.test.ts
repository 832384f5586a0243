import type { CheckName } from '@postern/contract';
import { describe, expect, it } from 'vitest';
import { checksWith, inputFor, passingCheck } from '../../test/support/check-input.ts';
import type { Check } from './check.ts';
import { runChecks, runOf } from './run-checks.ts';

const input = inputFor('jane@example.com');
const passes = passingCheck;

function run(some: Partial<Record<CheckName, Check>>, names: CheckName[], limitMs = 10_000) {
  const faults: unknown[] = [];
  let time = 0;
  const stopwatch = () => {
    time += 1;
    return time;
  };
  const done = runChecks(checksWith(some), names, input, {
    limitMs,
    stopwatch,
    onFault: (name, fault) => faults.push([name, fault]),
  });
  return Promise.resolve(done).then((runs) => ({ runs, faults }));
}

describe('the runner', () => {
  it('leaves out a check without its input', async () => {
    const { runs } = await run({ ip: { ...passes, needs: 'ip' } }, ['syntax', 'ip']);
    expect(runs.map(({ check }) => check)).toEqual(['syntax']);
  });

  it('keeps the order of the checks, whichever finishes first', async () => {
    let finishMx = () => {};
    const mx: Check = {
      needsDns: false,
      inspect: () =>
        new Promise((resolve) => {
          finishMx = () => resolve({ result: 'passed' });
        }),
    };
    const ip: Check = {
      needsDns: false,
      inspect: async () => {
        finishMx();
        return { result: 'passed' };
      },
    };
    const { runs } = await run({ mx, ip }, ['mx', 'ip']);
    expect(runs.map(({ check }) => check)).toEqual(['mx', 'ip']);
  });

  it('starts every check before any has answered', async () => {
    const started: string[] = [];
    const slow = (name: string): Check => ({
      needsDns: false,
      inspect: async () => {
        started.push(name);
        await Promise.resolve();
        expect(started).toEqual(['mx', 'ip']);
        return { result: 'passed' };
      },
    });
    const { faults } = await run({ mx: slow('mx'), ip: slow('ip') }, ['mx', 'ip']);
    expect(faults).toEqual([]);
  });

  it('turns an exception into unknown and reports it', async () => {
    const fault = new Error('bug');
    const { runs, faults } = await run(
      {
        mx: {
          needsDns: false,
          inspect: () => {
            throw fault;
          },
        },
        ip: { needsDns: false, inspect: () => Promise.reject(fault) },
      },
      ['mx', 'ip'],
    );
    expect(runOf(runs, 'mx')?.finding).toEqual({ result: 'unknown', reason: 'internal-error' });
    expect(runOf(runs, 'ip')?.finding).toEqual({ result: 'unknown', reason: 'internal-error' });
    expect(faults).toEqual([
      ['mx', fault],
      ['ip', fault],
    ]);
  });

  it('does not wait for a check beyond the time limit, and ignores a late result', async () => {
    let answer = () => {};
    const mx: Check = {
      needsDns: false,
      inspect: () =>
        new Promise((resolve) => {
          answer = () => resolve({ result: 'failed', error: 'late' });
        }),
    };
    const { runs } = await run({ mx }, ['mx', 'syntax'], 1);
    expect(runOf(runs, 'mx')?.finding).toEqual({ result: 'unknown', reason: 'timeout' });
    answer();
    await Promise.resolve();
    expect(runOf(runs, 'mx')?.finding.result).toBe('unknown');
    expect(runOf(runs, 'syntax')?.finding.result).toBe('passed');
  });

  it('times each check with the given stopwatch', async () => {
    const { runs } = await run({}, ['syntax']);
    expect(runOf(runs, 'syntax')?.latencyMs).toBe(1);
  });
});
