import type { Icon } from '../components/create-icon.ts';
import {
  Activity,
  Bell,
  FileSpreadsheet,
  Fingerprint,
  FlaskConical,
  FolderKanban,
  HeartPulse,
  KeyRound,
  List,
  ListChecks,
  ListFilter,
  Scale,
  ScrollText,
  Settings,
  ShieldCheck,
  Split,
  UserRound,
  UsersRound,
  Waypoints,
  Webhook,
} from '../icons.ts';

interface Place<To extends string> {
  readonly to: To;
  readonly name: string;
  /** In the navigation, below a heading that says the rest. */
  readonly shortName?: string;
  readonly icon: Icon;
  /** The jump menu also finds the page by these. */
  readonly searchWords?: string;
}

const place = <To extends string>(
  to: To,
  name: string,
  icon: Icon,
  searchWords?: string,
  shortName?: string,
): Place<To> => ({
  to,
  name,
  icon,
  ...(searchWords !== undefined && { searchWords }),
  ...(shortName !== undefined && { shortName }),
});

const WATCH = [
  place('/projects/$projectId', 'Overview', Activity, 'charts quota latency'),
  place('/projects/$projectId/validations', 'Validations', ListFilter, 'log requests export csv'),
  place('/projects/$projectId/alerts', 'Alerts', Bell, 'events quota feeds rotation decisions'),
  place('/projects/$projectId/sharing', 'Devices & inboxes', Fingerprint, 'sharing graph fingerprint alias'),
  place(
    '/projects/$projectId/campaigns',
    'Campaigns',
    Waypoints,
    'attack farm ring incident surge group cluster',
  ),
] as const;
const DECIDE = [
  place('/projects/$projectId/review', 'Review', ListChecks, 'queue flagged decide approve reject'),
  place('/projects/$projectId/claims', 'Claims', UserRound, 'trial once person release'),
  place('/projects/$projectId/bulk', 'Check a file', FileSpreadsheet, 'bulk csv upload list addresses'),
  place('/projects/$projectId/playground', 'Playground', FlaskConical, 'try test'),
] as const;
const TUNE = [
  place('/projects/$projectId/what-works', 'What works', Scale, 'outcomes statistics lift suggestions'),
  place('/projects/$projectId/policy', 'Policy', ShieldCheck, 'checks actions time machine'),
  place('/projects/$projectId/rules', 'Rules', Split, 'conditions expression cel shadow live presets'),
  place('/projects/$projectId/named-lists', 'Named lists', List, 'partners entries inlist rules'),
] as const;
const CONNECT = [
  place(
    '/projects/$projectId/keys',
    'API keys',
    KeyRound,
    'rotate regenerate revoke snippets curl hooks supabase ory okta',
  ),
  place('/projects/$projectId/webhooks', 'Webhooks', Webhook, 'deliveries slack discord secret'),
  place(
    '/projects/$projectId/settings',
    'Settings',
    Settings,
    'domains origins plan lists retention archive',
  ),
  place('/projects/$projectId/audit', 'Audit log', ScrollText, 'history who'),
] as const;

/** The pages of a project, by what people come for. */
export const PROJECT_GROUPS = [
  { name: 'Watch', places: WATCH },
  { name: 'Decide', places: DECIDE },
  { name: 'Tune', places: TUNE },
  { name: 'Connect', places: CONNECT },
] as const;

export const PROJECT_PLACES = [...WATCH, ...DECIDE, ...TUNE, ...CONNECT];

export const WORKSPACE_PLACES = [
  place('/', 'Projects', FolderKanban, 'all'),
  place('/members', 'Members', UsersRound, 'invite roles'),
  place('/health', 'Health', HeartPulse, 'feeds dns store degraded'),
  place('/audit', 'Workspace audit', ScrollText, 'history who', 'Audit'),
  place('/account', 'Your account', UserRound, 'password second factor totp tokens', 'Account'),
] as const;
