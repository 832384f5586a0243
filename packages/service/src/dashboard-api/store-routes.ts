import { auditRoutes } from '../operations/audit.ts';
import { campaignOperations } from '../operations/campaigns.ts';
import { claimOperations } from '../operations/claims.ts';
import { hookOperations } from '../operations/hooks.ts';
import { judgementOperations } from '../operations/judgements.ts';
import { keyOperations } from '../operations/keys.ts';
import { listOperations } from '../operations/lists.ts';
import { memberOperations } from '../operations/members.ts';
import { namedListOperations } from '../operations/named-lists.ts';
import { onboardingRoutes } from '../operations/onboarding.ts';
import { outcomeOperations } from '../operations/outcomes.ts';
import { overviewRoutes } from '../operations/overview.ts';
import { personalDataOperations } from '../operations/personal-data.ts';
import { policyHistoryOperations } from '../operations/policy-history.ts';
import { projectRoutes } from '../operations/projects.ts';
import { reachOperations } from '../operations/reach.ts';
import { reviewOperations } from '../operations/review.ts';
import { ruleOperations } from '../operations/rules.ts';
import { searchRoutes } from '../operations/search.ts';
import { stepUpVendorOperations } from '../operations/step-up-vendor.ts';
import { timelineOperations } from '../operations/timeline.ts';
import { validationOperations } from '../operations/validations.ts';
import { webhookOperations } from '../operations/webhooks.ts';

/** The operations that need nothing but the store, so that the command line calls them as the dashboard does. */
export const storeRoutes = {
  ...keyOperations,
  ...hookOperations,
  ...claimOperations,
  ...webhookOperations,
  ...memberOperations,
  ...ruleOperations,
  ...outcomeOperations,
  ...namedListOperations,
  ...validationOperations,
  ...projectRoutes,
  ...onboardingRoutes,
  ...overviewRoutes,
  ...searchRoutes,
  ...timelineOperations,
  ...policyHistoryOperations,
  ...personalDataOperations,
  ...listOperations,
  ...reachOperations,
  ...reviewOperations,
  ...campaignOperations,
  ...judgementOperations,
  ...stepUpVendorOperations,
  ...auditRoutes,
};
