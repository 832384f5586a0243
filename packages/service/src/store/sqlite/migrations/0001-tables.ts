import type { Migration } from '../../migration.ts';
import { accountTables } from '../../migrations/account-tables.ts';
import { eventTables } from '../../migrations/event-tables.ts';
import { requestTables } from '../../migrations/request-tables.ts';

export const tables: Migration = {
  number: 1,
  name: 'tables',
  sql: `${requestTables}${accountTables}${eventTables}`,
};
