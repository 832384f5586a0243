import { isMissing } from './ask-for-need.ts';
import { type ServiceOptions, startService, type TestService } from './service.ts';

export type BackEnd = 'sqlite' | 'postgres';

/**
 * For tests whose outcome may depend on the store: its counting, locks and order of changes. Without PostgreSQL they
 * run on SQLite alone.
 */
export const BACK_ENDS: readonly BackEnd[] = (await isMissing('postgres'))
  ? ['sqlite']
  : ['sqlite', 'postgres'];

/** For tests of everything above the store, whose own tests compare the two. TEST_SLOW=1 runs these on both, too. */
export const USUAL_BACK_ENDS: readonly BackEnd[] = process.env.TEST_SLOW === '1' ? BACK_ENDS : ['sqlite'];

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
