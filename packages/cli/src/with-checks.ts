import type { Config } from '@postern/service/config';
import type { CheckParts } from '@postern/service/open-checks';

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
