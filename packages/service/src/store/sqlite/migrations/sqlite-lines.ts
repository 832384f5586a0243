import type { MigrationLine } from '../../migration.ts';
import { dashboardSchema } from './dashboard-schema.ts';
import { sqliteSchema } from './sqlite-schema.ts';

/** All that a database file of Postern holds. */
export const sqliteLines: readonly MigrationLine[] = [sqliteSchema, dashboardSchema];
