import type { MigrationLine } from '../../migration.ts';
import { firstTables } from './0001-first-tables.ts';
import { settle } from './0002-settle.ts';
import { settleInWaves } from './0003-settle-in-waves.ts';

export const postgresSchema: MigrationLine = {
  name: 'store',
  migrations: [firstTables, settle, settleInWaves],
};
