import { isMissing } from './ask-for-need.ts';
import { type ServiceOptions, startService, type TestService } from './service.ts';

type BackEnd = 'sqlite' | 'postgres';

/** Without PostgreSQL, tests for both stores run on SQLite alone. */
export const BACK_ENDS: readonly BackEnd[] = (await isMissing('postgres'))
  ? ['sqlite']
  : ['sqlite', 'postgres'];

/** The service with a store of that kind, which is removed when the service is closed. */
export async function startServiceOn(backEnd: BackEnd, options: ServiceOptions = {}): Promise<TestService> {
  if (backEnd === 'sqlite') return startService(options);
  const server = await (await import('./postgres.ts')).sharedPostgresServer();
  const database = await server.database();
  const env = { ...options.env, POSTERN_DATABASE_URL: database.url };
  const service = await startService({ ...options, env });
  return {
    ...service,
    close: async () => {
      await service.close();
      await database.remove();
      await server.remove();
    },
  };
}
