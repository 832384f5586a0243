/** The entry point `@postern/contract/dashboard`: the dashboard’s API, one file a resource. */
import type { BodyOf } from './dashboard-routes.ts';

export * from './dashboard/api.ts';
export * from './dashboard/audit.ts';
export * from './dashboard/bulk.ts';
export * from './dashboard/campaigns.ts';
export * from './dashboard/company-sign-in.ts';
export type * from './dashboard/health.ts';
export * from './dashboard/members.ts';
export type * from './dashboard/onboarding.ts';
export * from './dashboard/outcomes.ts';
export * from './dashboard/overview.ts';
export type * from './dashboard/people.ts';
export type * from './dashboard/policy-history.ts';
export type * from './dashboard/projects.ts';
export type * from './dashboard/proposals.ts';
export { LOG_TEXT_FILTERS } from './dashboard/routes/filter-names.ts';
export type * from './dashboard/routes/hooks.ts';
export type * from './dashboard/routes/keys.ts';
export type * from './dashboard/routes/webhooks.ts';
export type * from './dashboard/rules.ts';
export type * from './dashboard/safety.ts';
export type * from './dashboard/search.ts';
export * from './dashboard/things.ts';
export * from './dashboard/timeline.ts';
export type * from './dashboard/trials.ts';
export * from './dashboard/validations.ts';

/** Bodies that pages name. */
export type ResetPassword = BodyOf<'POST /password/reset'>;
export type CampaignDecisionRequest = BodyOf<'POST /projects/:id/campaigns/:campaignId/decide'>;
export type ReviewDecisionRequest = BodyOf<'POST /projects/:id/review/:validationId/decide'>;
export type ReviewsDecisionRequest = BodyOf<'POST /projects/:id/review/decide'>;
export type PlaygroundRequest = BodyOf<'POST /projects/:id/playground'>;
export type TimeMachineRequest = BodyOf<'POST /projects/:id/time-machine'>;
export type JudgementRequest = BodyOf<'POST /projects/:id/judge'>;
export type EraseRequest = BodyOf<'POST /projects/:id/people/:inbox/erase'>;
export type ListsChange = BodyOf<'POST /projects/:id/lists'>;
export type NewRuleRequest = BodyOf<'POST /projects/:id/rules'>;
export type RuleChangeRequest = BodyOf<'PATCH /projects/:id/rules/:rule'>;
export type NamedListChangeRequest = BodyOf<'POST /projects/:id/named-lists/:name'>;
export type NewProjectRequest = BodyOf<'POST /projects'>;
export type ProjectChangeRequest = BodyOf<'PATCH /projects/:id'>;
export type NewKeyRequest = BodyOf<'POST /projects/:id/keys'>;
export type NewWebhookRequest = BodyOf<'POST /projects/:id/webhooks'>;
export type WebhookChangeRequest = BodyOf<'PATCH /webhooks/:webhookId'>;
