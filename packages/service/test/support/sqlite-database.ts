import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AdministeredStore } from '../../src/store/administered-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { patientStore } from './patient-store.ts';
import type { TestDatabase } from './store-fixtures.ts';

export interface SqliteTestDatabase extends TestDatabase {
  readonly file: string;
  open(): Promise<AdministeredStore>;
}

/** A database file in a folder of its own under the system’s temporary folder. */
export async function sqliteDatabase(): Promise<SqliteTestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-store-'));
  const file = join(folder, 'postern.db');
  return {
    file,
    open: async () => patientStore(await openSqliteStore({ file })),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
