/** The entry point `@postern/contract/dashboard`: the dashboard’s API, one file a resource. */
import type { BodyOf } from './dashboard-routes.ts';

export {
  CSRF_HEADER,
  DASHBOARD_API,
  DASHBOARD_AUTH,
  type DashboardError,
  IDLE_HEADER,
} from './dashboard/api.ts';
export { AUDIT_ACTIONS, type AuditAction, type AuditEntry, type AuditView } from './dashboard/audit.ts';
export {
  BULK_BAD_IP,
  BULK_MAX_FILE_BYTES,
  BULK_MAX_ROW_LENGTH,
  BULK_MAX_ROWS,
  type BulkEnd,
  type BulkEvent,
  type BulkResult,
} from './dashboard/bulk.ts';
export { COMPANY_PROBLEMS, COMPANY_SIGN_IN_PATH, type CompanyProblem } from './dashboard/company-sign-in.ts';
export type {
  DomainChecks,
  DomainView,
  NetworkView,
  ShareFigures,
} from './dashboard/domains-and-networks.ts';
export type { HealthView } from './dashboard/health.ts';
export type {
  IncidentSource,
  IncidentsView,
  IncidentView,
} from './dashboard/incidents.ts';
export {
  type AccessToken,
  hasRole,
  type Invite,
  type InviteState,
  MEMBER_ROLES,
  type Member,
  type MemberRole,
  type NewAccessToken,
  type NewInvite,
  type PasskeyView,
  type PasswordWasReset,
  PROJECT_ROLES,
  type ProjectRole,
  type ResetLinkState,
  ROLES,
  type Role,
  roleIn,
  type Session,
  type SessionView,
  type SetupState,
} from './dashboard/members.ts';
export type { OnboardingStep, OnboardingView } from './dashboard/onboarding.ts';
export type {
  LooseningSuggestion,
  OutcomeEffect,
  OutcomeReportView,
  OutcomeRowView,
  OutcomeSuggestion,
  OutcomesImported,
  ReviewDecided,
  ReviewRow,
  ReviewsDecided,
  ReviewView,
  RuleGoneBadView,
} from './dashboard/outcomes.ts';
export { REVIEW_MAX_COUNTED } from './dashboard/outcomes.ts';
export {
  type Overview,
  type OverviewCounts,
  type OverviewTotals,
  STATISTICS_STEP_MS,
} from './dashboard/overview.ts';
export type {
  ForgetAnswer,
  LatelyShared,
  ListChange,
  ListedEntry,
  ListName,
  ListsChanged,
  PersonExport,
  PersonView,
  SharedGroup,
  SharedInbox,
  SharingTotals,
  SharingView,
} from './dashboard/people.ts';
export type {
  PolicyHistoryView,
  PolicyVersionDetail,
  PolicyVersionView,
} from './dashboard/policy-history.ts';
export type {
  OriginTest,
  ProjectView,
} from './dashboard/projects.ts';
export type { RuleProposalsView, RuleProposalView } from './dashboard/proposals.ts';
export {
  RING_LINK_KINDS,
  type RingDetail,
  type RingLink,
  type RingLinkKind,
  type RingMemberView,
  type RingsView,
  type RingThingView,
  type RingView,
} from './dashboard/rings.ts';
export { LOG_TEXT_FILTERS } from './dashboard/routes/filter-names.ts';
export type {
  ClaimsView,
  ClaimView,
  HookTestView,
  HookView,
  NewHookView,
} from './dashboard/routes/hooks.ts';
export type { KeyView, NewKeyView } from './dashboard/routes/keys.ts';
export type {
  DeliveriesView,
  DeliveryDetail,
  DeliveryView,
  EventsView,
  NewWebhookView,
  WebhookTarget,
  WebhookView,
} from './dashboard/routes/webhooks.ts';
export type {
  NamedListView,
  RuleCheck,
  RuleDetail,
  RuleFailures,
  RuleFigures,
  RuleFiguresView,
  RuleTest,
  RuleVersionView,
  RuleView,
} from './dashboard/rules.ts';
export type { SafetyItem, SafetyItemId, SafetyView } from './dashboard/safety.ts';
export type { SearchAnswer } from './dashboard/search.ts';
export {
  MAX_NOTE,
  MAX_TIMELINE,
  TIMELINE_KINDS,
  type TimelineEntryView,
  type TimelineKind,
  type TimelineView,
} from './dashboard/timeline.ts';
export type {
  Estimate,
  PlaygroundAnswer,
  RuleEffect,
  TimeMachineReport,
} from './dashboard/trials.ts';
export type {
  JudgementsRecorded,
  JudgementsUndone,
  JudgementUndo,
  LogColumn,
  LogSummaryView,
  PersonJudgement,
  ValidationDetail,
  ValidationPage,
  ValidationRow,
} from './dashboard/validations.ts';
export { LOG_COLUMNS } from './dashboard/validations.ts';

/** Bodies that pages name. */
export type ForgotPassword = BodyOf<'POST /password/forgot'>;
export type ResetPassword = BodyOf<'POST /password/reset'>;
export type IncidentChangeRequest = BodyOf<'PATCH /projects/:id/incidents/:incidentId'>;
export type ReviewDecisionRequest = BodyOf<'POST /projects/:id/review/:validationId/decide'>;
export type ReviewsDecisionRequest = BodyOf<'POST /projects/:id/review/decide'>;
export type PlaygroundRequest = BodyOf<'POST /projects/:id/playground'>;
export type TimeMachineRequest = BodyOf<'POST /projects/:id/time-machine'>;
export type JudgementRequest = BodyOf<'POST /projects/:id/judge'>;
export type EraseRequest = BodyOf<'POST /projects/:id/people/:inbox/erase'>;
export type ListsChange = BodyOf<'POST /projects/:id/lists'>;
export type NewRuleRequest = BodyOf<'POST /projects/:id/rules'>;
export type RuleChangeRequest = BodyOf<'PATCH /projects/:id/rules/:rule'>;
export type RuleTestRequest = BodyOf<'POST /projects/:id/rules/test'>;
export type NamedListChangeRequest = BodyOf<'POST /projects/:id/named-lists/:name'>;
export type NewProjectRequest = BodyOf<'POST /projects'>;
export type ProjectChangeRequest = BodyOf<'PATCH /projects/:id'>;
export type NewKeyRequest = BodyOf<'POST /projects/:id/keys'>;
export type NewWebhookRequest = BodyOf<'POST /projects/:id/webhooks'>;
export type WebhookChangeRequest = BodyOf<'PATCH /webhooks/:webhookId'>;
