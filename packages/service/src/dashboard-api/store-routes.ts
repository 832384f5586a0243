import { hookOperations } from '../operations/hooks.ts';
import { judgementOperations } from '../operations/judgements.ts';
import { keyOperations } from '../operations/keys.ts';
import { memberOperations } from '../operations/members.ts';
import { reviewOperations } from '../operations/review.ts';
import { webhookOperations } from '../operations/webhooks.ts';
import { auditRoutes } from './audit.ts';
import { forgetRoutes } from './forget.ts';
import { incidentRoutes } from './incidents.ts';
import { onboardingRoutes } from './onboarding.ts';
import { overviewRoutes } from './overview.ts';
import { peopleRoutes } from './people.ts';
import { policyHistoryRoutes } from './policy-history.ts';
import { projectRoutes } from './projects.ts';
import { searchRoutes } from './search.ts';
import { sharingRoutes } from './sharing.ts';
import { timelineRoutes } from './timeline.ts';

/** The operations that need nothing but the store, so that the command line calls them as the dashboard does. */
export const storeRoutes = {
  ...keyOperations,
  ...hookOperations,
  ...webhookOperations,
  ...memberOperations,
  ...projectRoutes,
  ...onboardingRoutes,
  ...overviewRoutes,
  ...sharingRoutes,
  ...searchRoutes,
  ...peopleRoutes,
  ...timelineRoutes,
  ...policyHistoryRoutes,
  ...forgetRoutes,
  ...reviewOperations,
  ...incidentRoutes,
  ...judgementOperations,
  ...auditRoutes,
};
