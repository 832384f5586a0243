import { describe, expect, it } from 'vitest';
import { statement } from '../database.ts';
import { StoreUnavailable } from '../store.ts';
import { createRestartingWorker, type WorkerThread } from './worker-thread.ts';

/** A thread that answers with its number until the test makes it fail. */
function makeThreads() {
  let started = 0;
  let failed = 0;
  const start = async (): Promise<WorkerThread> => {
    started += 1;
    const number = started;
    return {
      ended: () => failed >= number,
      call: (() => Promise.resolve([{ number }])) as unknown as WorkerThread['call'],
      close: () => Promise.resolve(),
    };
  };
  const failAll = () => {
    failed = started;
  };
  return { start, failAll };
}

const ask = statement('SELECT 1');

describe('a restarting worker', () => {
  it('is started once, however many callers there are', async () => {
    const thread = createRestartingWorker(makeThreads().start);
    const answers = await Promise.all([
      thread.call('run', ask),
      thread.call('run', ask),
      thread.call('run', ask),
    ]);
    expect(answers.flat()).toEqual([{ number: 1 }, { number: 1 }, { number: 1 }]);
  });

  it('is started again after it failed', async () => {
    const { start, failAll } = makeThreads();
    const thread = createRestartingWorker(start);
    await thread.call('run', ask);
    failAll();
    expect(await thread.call('run', ask)).toEqual([{ number: 2 }]);
  });

  it('is retried when it did not start', async () => {
    const { start } = makeThreads();
    let tries = 0;
    const thread = createRestartingWorker(() => {
      tries += 1;
      return tries === 1 ? Promise.reject(new StoreUnavailable('busy')) : start();
    });
    await expect(thread.open()).rejects.toThrow('busy');
    expect(await thread.call('run', ask)).toEqual([{ number: 1 }]);
  });

  it('stays closed', async () => {
    const { start, failAll } = makeThreads();
    const thread = createRestartingWorker(start);
    await thread.open();
    await thread.close();
    failAll();
    await expect(thread.call('run', ask)).rejects.toThrow(StoreUnavailable);
  });
});
