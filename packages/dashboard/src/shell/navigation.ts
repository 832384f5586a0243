import type { Icon } from '../components/create-icon.ts';
import {
  Activity,
  FolderKanban,
  KeyRound,
  ListChecks,
  ListFilter,
  Scale,
  Settings,
  ShieldCheck,
} from '../icons.ts';

/** A page of a place. */
interface Tab<To extends string> {
  readonly to: To;
  readonly name: string;
  /** What the list of things is of. */
  readonly kind?: string;
  /** The jump menu also finds the page by these. */
  readonly searchWords: string;
}

interface Place<To extends string> {
  readonly name: string;
  readonly icon: Icon;
  /** The first is where the place itself leads. */
  readonly tabs: readonly [Tab<To>, ...Tab<To>[]];
}

const tab = <To extends string>(to: To, name: string, searchWords: string, kind?: string): Tab<To> => ({
  ...{ to, name, searchWords },
  ...(kind !== undefined && { kind }),
});

const place = <To extends string>(
  name: string,
  icon: Icon,
  ...tabs: readonly [Tab<To>, ...Tab<To>[]]
): Place<To> => ({ name, icon, tabs });

const THINGS = '/projects/$projectId/things/$kind';

/** The places of a project, by what people come for. */
export const PROJECT_PLACES = [
  place(
    'Today',
    Activity,
    tab('/projects/$projectId', 'Overview', 'charts quota latency today home'),
    tab('/projects/$projectId/alerts', 'Alerts', 'events quota feeds rotation decisions'),
  ),
  place(
    'Investigate',
    ListFilter,
    tab('/projects/$projectId/validations', 'Sign-ups', 'log validations requests export csv'),
    tab(THINGS, 'People', 'persons inboxes alias spellings', 'person'),
    tab(THINGS, 'Devices', 'fingerprint sharing', 'device'),
    tab(THINGS, 'Domains', 'companies providers', 'domain'),
    tab(THINGS, 'Networks', 'ip ranges addresses', 'network'),
    tab(THINGS, 'Operators', 'asn network provider', 'asn'),
    tab('/projects/$projectId/campaigns', 'Campaigns', 'attack farm ring incident surge group cluster'),
  ),
  place(
    'Review',
    ListChecks,
    tab('/projects/$projectId/review', 'Queue', 'review flagged decide approve reject'),
    tab('/projects/$projectId/bulk', 'Check a file', 'bulk csv upload list addresses'),
    tab('/projects/$projectId/claims', 'Claims', 'trial once person release'),
  ),
  place(
    'Rules',
    ShieldCheck,
    tab('/projects/$projectId/lists', 'Lists', 'allow block named partners entries inlist'),
    tab('/projects/$projectId/rules', 'Rules', 'conditions expression cel shadow live presets'),
    tab('/projects/$projectId/policy', 'Checks', 'policy actions messages time machine'),
  ),
  place(
    'Results',
    Scale,
    tab('/projects/$projectId/what-works', 'Results', 'what works outcomes statistics lift'),
  ),
  place(
    'Connect',
    KeyRound,
    tab(
      '/projects/$projectId/keys',
      'Keys and code',
      'api rotate regenerate revoke snippets curl hooks supabase ory okta',
    ),
    tab('/projects/$projectId/webhooks', 'Webhooks', 'deliveries slack discord secret'),
    tab('/projects/$projectId/origins', 'Allowed domains', 'origins cors pages'),
  ),
  place(
    'Settings',
    Settings,
    tab('/projects/$projectId/settings', 'Settings', 'name plan limits retention archive'),
    tab('/projects/$projectId/audit', 'Audit log', 'history who'),
  ),
] as const;

export const WORKSPACE = place(
  'Workspace',
  FolderKanban,
  tab('/', 'Projects', 'all'),
  tab('/members', 'Members', 'invite roles'),
  tab('/health', 'Health', 'feeds dns store degraded'),
  tab('/audit', 'Workspace audit', 'history who'),
);

type ProjectPage = (typeof PROJECT_PLACES)[number]['tabs'][number]['to'];

export const PROJECT_TABS = PROJECT_PLACES.flatMap(({ tabs }): readonly Tab<ProjectPage>[] => tabs);
