/** The entry point `@postern/contract/dashboard`: the dashboard’s API, one file a resource. */
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
  type BulkRequest,
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
  IncidentChangeRequest,
  IncidentSource,
  IncidentsView,
  IncidentView,
} from './dashboard/incidents.ts';
export {
  type AcceptInvite,
  type AccessToken,
  type ForgotPassword,
  hasRole,
  type Invite,
  type InviteState,
  type LinkToken,
  MEMBER_ROLES,
  type Member,
  type MemberChange,
  type MemberRole,
  type NewAccessToken,
  type NewAccessTokenRequest,
  type NewInvite,
  type NewInviteRequest,
  type PasskeyView,
  type PasswordWasReset,
  PROJECT_ROLES,
  type ProjectRole,
  type ResetLinkState,
  type ResetPassword,
  ROLES,
  type Role,
  roleIn,
  type Session,
  type SessionView,
  type SetupRequest,
  type SetupState,
} from './dashboard/members.ts';
export type { OnboardingStep, OnboardingView } from './dashboard/onboarding.ts';
export type {
  LooseningSuggestion,
  OutcomeEffect,
  OutcomeReportView,
  OutcomeRowView,
  OutcomeSuggestion,
  OutcomesImport,
  OutcomesImported,
  ReviewDecided,
  ReviewDecisionRequest,
  ReviewRow,
  ReviewsDecided,
  ReviewsDecisionRequest,
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
  EraseRequest,
  ForgetAnswer,
  ForgetRequest,
  LatelyShared,
  ListChange,
  ListedEntry,
  ListName,
  ListsChange,
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
  PolicyRestoreRequest,
  PolicyVersionDetail,
  PolicyVersionView,
} from './dashboard/policy-history.ts';
export type {
  NewProjectRequest,
  OriginTest,
  OriginTestRequest,
  ProjectChangeRequest,
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
export type { KeyView, NewKeyRequest, NewKeyView } from './dashboard/routes/keys.ts';
export type {
  DeliveriesView,
  DeliveryDetail,
  DeliveryView,
  EventsView,
  NewWebhookRequest,
  NewWebhookView,
  WebhookChangeRequest,
  WebhookTarget,
  WebhookView,
} from './dashboard/routes/webhooks.ts';
export type {
  NamedListChangeRequest,
  NamedListView,
  NewNamedListRequest,
  NewRuleRequest,
  RuleChangeRequest,
  RuleCheck,
  RuleCheckRequest,
  RuleDetail,
  RuleFailures,
  RuleFigures,
  RuleFiguresView,
  RuleMoveRequest,
  RuleTest,
  RuleTestRequest,
  RuleVersionView,
  RuleView,
} from './dashboard/rules.ts';
export type { SafetyItem, SafetyItemId, SafetyView } from './dashboard/safety.ts';
export type { SearchAnswer, SearchRequest } from './dashboard/search.ts';
export {
  MAX_NOTE,
  MAX_TIMELINE,
  type NewNote,
  TIMELINE_KINDS,
  type TimelineEntryView,
  type TimelineKind,
  type TimelineView,
} from './dashboard/timeline.ts';
export type {
  Estimate,
  PlaygroundAnswer,
  PlaygroundRequest,
  RuleEffect,
  TimeMachineReport,
  TimeMachineRequest,
} from './dashboard/trials.ts';
export type {
  JudgementRequest,
  JudgementsRecorded,
  JudgementsUndo,
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
