import { type PostgresServer, sharedPostgresServer } from './postgres.ts';
import { type ServiceOptions, startService, type TestService } from './service.ts';

export const BACK_ENDS = ['sqlite', 'postgres'] as const;

/** The service with a store of that kind, which is removed when the service is closed. */
export async function startServiceOn(
  backEnd: (typeof BACK_ENDS)[number],
  options: ServiceOptions = {},
): Promise<TestService> {
  if (backEnd === 'sqlite') return startService(options);
  const server: PostgresServer = await sharedPostgresServer();
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
