import type { MigrationLine } from '../../migration.ts';
import { people } from './dashboard-0001-people.ts';

export const dashboardSchema: MigrationLine = { name: 'dashboard', migrations: [people] };
