import type { Administration } from '@postern/service/administration/administration';
import type { Config } from '@postern/service/config';
import type { AdministeredStore } from '@postern/service/store/administered-store';
import type { CommandContext } from './command-context.ts';

/**
 * Opens the store that the service uses, runs the work and closes the store again. It works while the service runs;
 * changes apply from the next request on.
 */
export async function withStore<T>(
  context: CommandContext,
  work: (store: AdministeredStore, config: Config) => Promise<T>,
): Promise<T> {
  // Imported here, because `--help` needs neither the store nor its driver.
  const { readConfig } = await import('@postern/service/config');
  const { openStore } = await import('@postern/service/open-store');
  const config = readConfig(context.environment);
  const store = await openStore(config);
  try {
    return await work(store, config);
  } finally {
    await store.close();
  }
}

/** The same for the use cases that command line and dashboard share. */
export function withAdministration<T>(
  context: CommandContext,
  work: (administration: Administration, config: Config) => Promise<T>,
): Promise<T> {
  const { now, randomBytes } = context;
  return withStore(context, (store, config) =>
    work({ store, now, randomBytes, plans: config.plans, actor: 'cli' }, config),
  );
}
