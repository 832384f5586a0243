import type { MigrationLine } from '../../migration.ts';
import { firstTables } from './0001-first-tables.ts';
import { settle } from './0002-settle.ts';

export const postgresSchema: MigrationLine = { name: 'store', migrations: [firstTables, settle] };
