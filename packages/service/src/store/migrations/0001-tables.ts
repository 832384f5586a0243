import type { Migration } from '../migration.ts';
import { accountTables } from './account-tables.ts';
import { type Dialect, inDialect } from './dialect.ts';
import { eventTables } from './event-tables.ts';
import { requestTables } from './request-tables.ts';

/**
 * Rows that are rewritten all the time leave room on their page, so that a new version stays there and no index is
 * touched.
 */
const FILL = {
  api_key: 80,
  rate_bucket: 50,
  quota: 20,
  device: 80,
  inbox: 80,
  idempotent_answer: 80,
  statistics: 70,
} as const;

const ONLY_POSTGRES = `
${Object.entries(FILL)
  .map(([table, percent]) => `ALTER TABLE ${table} SET (fillfactor = ${percent});`)
  .join('\n')}

-- The rows live for seconds, so compressing their lines would cost more than it saves.
ALTER TABLE statistics_change ALTER COLUMN lines SET STORAGE EXTERNAL;
`;

export const tables = (dialect: Dialect): Migration => ({
  number: 1,
  name: 'tables',
  sql:
    inDialect(dialect, requestTables + accountTables + eventTables) +
    (dialect === 'postgres' ? ONLY_POSTGRES : ''),
});
