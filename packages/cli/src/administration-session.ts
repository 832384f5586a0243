import type { Administration } from '@postern/service/administration/administration';
import type { Config } from '@postern/service/config';
import type { CommandContext } from './command-context.ts';

/**
 * Opens the store that the service uses, runs the work and closes the store again. It works while the service
 * runs; what it changes holds from the next request on.
 */
export async function withAdministration<T>(
  context: CommandContext,
  work: (administration: Administration, config: Config) => Promise<T>,
): Promise<T> {
  // Loaded here and not above: `--help` needs neither the store nor its driver.
  const { readConfig } = await import('@postern/service/config');
  const { openStore } = await import('@postern/service/open-store');
  const config = readConfig(context.environment);
  const store = await openStore(config);
  try {
    const { now, randomBytes } = context;
    return await work({ store, now, randomBytes, plans: config.plans, actor: 'cli' }, config);
  } finally {
    await store.close();
  }
}
