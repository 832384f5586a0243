import type { Config } from '@postern/service/config';
import type { storeRoutes } from '@postern/service/dashboard-api/store-routes';
import type { CheckParts } from '@postern/service/open-checks';
import type { Administration } from '@postern/service/operations/administration';
import type { DashboardHandlers } from '@postern/service/operations/operation';
import type { operationsOf } from '@postern/service/operations/run-operation';
import type { AdministeredStore } from '@postern/service/store/administered-store';
import type { StoreUnavailable } from '@postern/service/store/store';
import { addressOf } from './address-of.ts';
import type { CommandContext } from './command-context.ts';

export type StoreOperations = ReturnType<
  typeof operationsOf<keyof typeof storeRoutes & keyof DashboardHandlers>
>;

const PROGRESS_EVERY_MS = 3_000;

/**
 * Opens the store that the service uses, runs the work and closes the store again. It works while the service runs;
 * changes apply from the next request on. While the store does not answer, standard error says what the command waits
 * for.
 */
export async function withStore<T>(
  context: CommandContext,
  work: (store: AdministeredStore, config: Config) => Promise<T>,
  /** `waits: false` for `doctor`, which reports the present state instead of waiting for a better one. */
  { waits = true }: { readonly waits?: boolean } = {},
): Promise<T> {
  // Imported here, because `--help` needs neither the store nor its driver.
  const { readConfig } = await import('@postern/service/config');
  const { openStore } = await import('@postern/service/open-store');
  const config = readConfig(context.environment);
  const patience = { limitMs: context.patienceMs, onWait: reportWaiting(context) };
  const store = await openStore(config, waits ? patience : undefined, {
    onBegin: () => {},
    onBlocked: (holder) => context.terminal.error(`Waiting for a lock held by ${holder}\n`),
  });
  try {
    return await work(store, config);
  } finally {
    await store.close();
  }
}

/** Prints a line from time to time while the store keeps a command waiting. */
function reportWaiting({ terminal, patienceMs }: CommandContext) {
  let waitingSince: number | undefined;
  let reportedAt = Number.NEGATIVE_INFINITY;
  return ({ code, message }: StoreUnavailable): void => {
    const now = performance.now();
    waitingSince ??= now;
    if (now - reportedAt < PROGRESS_EVERY_MS) return;
    reportedAt = now;
    const seconds = Math.round((now - waitingSince) / 1_000);
    const limit = patienceMs / 1_000;
    terminal.error(`Waiting for the store, ${seconds} of at most ${limit} seconds: ${message} (${code})\n`);
  };
}

/** Like `withStore`, for operations that the CLI and the dashboard share. */
export function withAdministration<T>(
  context: CommandContext,
  work: (
    administration: Administration & { readonly store: AdministeredStore },
    config: Config,
  ) => Promise<T>,
): Promise<T> {
  const { now, randomBytes } = context;
  return withStore(context, (store, config) =>
    work(
      { store, now, randomBytes, plans: config.plans, sendsMail: config.smtp !== undefined, actor: 'cli' },
      config,
    ),
  );
}

/** Like `withAdministration`, for operations that need nothing but the store. */
export function withOperations<T>(
  context: CommandContext,
  work: (call: StoreOperations, administration: Administration, config: Config) => Promise<T>,
): Promise<T> {
  return withAdministration(context, async (administration, config) => {
    const { storeRoutes } = await import('@postern/service/dashboard-api/store-routes');
    const { operationsOf } = await import('@postern/service/operations/run-operation');
    return work(operationsOf(storeRoutes, administration, addressOf(config)), administration, config);
  });
}

/** Opens the service’s checks and their data, runs the work and closes them again. */
export async function withChecks<T>(config: Config, work: (parts: CheckParts) => Promise<T>): Promise<T> {
  const { openChecks } = await import('@postern/service/open-checks');
  const parts = await openChecks(config, () => {});
  try {
    return await work(parts);
  } finally {
    parts.mail.close();
    parts.data.close();
  }
}
