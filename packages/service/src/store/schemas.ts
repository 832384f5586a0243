import type { MigrationLine } from './migration.ts';
import { firstTables as firstPostgresTables } from './postgres/migrations/0001-first-tables.ts';
import { settle } from './postgres/migrations/0002-settle.ts';
import { settleInWaves } from './postgres/migrations/0003-settle-in-waves.ts';
import { blockedSightings as blockedPostgresSightings } from './postgres/migrations/0004-blocked-sightings.ts';
import { limits as postgresLimits } from './postgres/migrations/0005-limits.ts';
import { people as postgresPeople } from './postgres/migrations/dashboard-0001-people.ts';
import { access as postgresAccess } from './postgres/migrations/dashboard-0002-access.ts';
import { onboarding as postgresOnboarding } from './postgres/migrations/dashboard-0003-onboarding.ts';
import { outcomesAndEvents as postgresEvents } from './postgres/migrations/events-0001-outcomes-and-events.ts';
import { knownOutcomes as postgresKnownOutcomes } from './postgres/migrations/events-0002-known-outcomes.ts';
import { statistics as postgresStatistics } from './postgres/migrations/statistics-0001-statistics.ts';
import { savedViews as postgresViews } from './postgres/migrations/views-0001-saved-views.ts';
import { firstTables as firstSqliteTables } from './sqlite/migrations/0001-first-tables.ts';
import { blockedSightings as blockedSqliteSightings } from './sqlite/migrations/0002-blocked-sightings.ts';
import { limits as sqliteLimits } from './sqlite/migrations/0003-limits.ts';
import { people as sqlitePeople } from './sqlite/migrations/dashboard-0001-people.ts';
import { access as sqliteAccess } from './sqlite/migrations/dashboard-0002-access.ts';
import { onboarding as sqliteOnboarding } from './sqlite/migrations/dashboard-0003-onboarding.ts';
import { outcomesAndEvents as sqliteEvents } from './sqlite/migrations/events-0001-outcomes-and-events.ts';
import { knownOutcomes as sqliteKnownOutcomes } from './sqlite/migrations/events-0002-known-outcomes.ts';
import { statistics as sqliteStatistics } from './sqlite/migrations/statistics-0001-statistics.ts';
import { savedViews as sqliteViews } from './sqlite/migrations/views-0001-saved-views.ts';

export const postgresStoreSchema: MigrationLine = {
  name: 'store',
  migrations: [firstPostgresTables, settle, settleInWaves, blockedPostgresSightings, postgresLimits],
};
export const sqliteStoreSchema: MigrationLine = {
  name: 'store',
  migrations: [firstSqliteTables, blockedSqliteSightings, sqliteLimits],
};

/** All schemas of a PostgreSQL database, in order of creation. */
export const postgresSchemas: readonly MigrationLine[] = [
  postgresStoreSchema,
  { name: 'dashboard', migrations: [postgresPeople, postgresAccess, postgresOnboarding] },
  { name: 'events', migrations: [postgresEvents, postgresKnownOutcomes] },
  { name: 'statistics', migrations: [postgresStatistics] },
  { name: 'views', migrations: [postgresViews] },
];

/** All schemas of a SQLite database, in order of creation. */
export const sqliteSchemas: readonly MigrationLine[] = [
  sqliteStoreSchema,
  { name: 'dashboard', migrations: [sqlitePeople, sqliteAccess, sqliteOnboarding] },
  { name: 'events', migrations: [sqliteEvents, sqliteKnownOutcomes] },
  { name: 'statistics', migrations: [sqliteStatistics] },
  { name: 'views', migrations: [sqliteViews] },
];
