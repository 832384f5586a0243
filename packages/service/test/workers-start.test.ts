import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openConnection } from '../src/store/sqlite/connection.ts';
import { startService } from './support/service.ts';

it('workers that cannot start because the database is locked end the service with that reason', async () => {
  const first = await startService();
  // With an account the primary process has nothing to write at the start, so only the workers meet the lock.
  await first.admin(({ store }) => {
    const account = {
      id: 'u1',
      accountId: 'a1',
      name: 'Ada',
      email: 'ada@example.com',
      verified: false,
      account: { passwordHash: 'hash' },
    };
    return store.commit(store.members.creation({ ...account, role: 'owner', projects: {} }, Date.now()), []);
  });
  await first.stop();
  const other = openConnection(join(first.dataDir, 'postern.db'), 'write');
  other.exec('BEGIN IMMEDIATE');

  const start = startService({ realDeadlines: true, dataDir: first.dataDir, env: { POSTERN_WORKERS: '2' } });
  const { message } = await start.then(
    () => new Error('The service started'),
    (fault: Error) => fault,
  );
  expect(message).toContain('The service ended with 1');
  expect(message).toContain('another process has locked the database');
  expect(message).not.toContain('could not delete expired data');
  other.close();
  await first.close();
});
