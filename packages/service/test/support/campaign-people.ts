import type { Store } from '../../src/store/store.ts';
import type { TestService } from './service.ts';

/** Looks for campaigns once, at that time. In a running service a timer does it. */
async function lookForCampaigns(store: Store, now: number): Promise<void> {
  const { lookForAlerts } = await import('../../dist/events/alerts.js');
  await lookForAlerts({
    store,
    logFault: (fault: unknown) => {
      throw fault;
    },
    now: () => now,
    staleFeeds: async () => [],
  });
}

export const noticeCampaigns = (service: TestService, now = Date.now()): Promise<void> =>
  service.admin(({ store }) => lookForCampaigns(store, now));
