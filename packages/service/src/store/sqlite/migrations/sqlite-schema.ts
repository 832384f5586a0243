import type { MigrationLine } from '../../migration.ts';
import { firstTables } from './0001-first-tables.ts';

export const sqliteSchema: MigrationLine = { name: 'store', migrations: [firstTables] };
