/**
 * The allowed imports. A layer is a folder or a file; a module belongs to the layer with the longest matching path. A
 * layer can import itself and the layers in `imports`, and nothing else. `*` matches one folder’s name, and each such
 * folder is a layer of its own: no check imports another.
 */
const service = (layer) => `packages/service/src/${layer}`;
const CONTRACT = 'packages/contract/src';
const MODEL = service('model');
/** Reads the files in `packages/service/lists`. */
const LISTS = service('lists');
const LOOKUP = service('lookup');
const STORE = service('store');
const CHECK = service('checks/check.ts');
const SETTINGS = service('settings.ts');
const CONFIG = service('config.ts');
const SETTING_READER = service('setting-reader.ts');
/** Logs and metrics. Any stage with side effects can use them. */
const LOGGING = [service('log.ts'), service('metrics')];
/** Creates folders with the right permissions. */
const MAKE_FOLDER = service('make-folder.ts');
/** Answers with the files of a build, for the docs and the dashboard. */
const STATIC_FILES = service('static-files.ts');
/** The SSRF-safe fetch for addresses that others choose. Feeds and webhooks share it. */
const SAFE_FETCH = service('events/safe-fetch');
const EVENTS = service('events');
const OUTCOMES = service('outcomes');
/** Which people belong together. */
const CAMPAIGNS = service('campaigns');
const CHECKS = service('checks');
/** The languages of sign-in servers that ask by themselves. */
const HOOKS = service('hooks');
const RECALL = service('checks/recall-checks.ts');
const DECISION = service('decision');
const STAGES = [
  service('admission'),
  CHECKS,
  DECISION,
  service('record'),
  OUTCOMES,
  HOOKS,
  service('claims'),
  service('step-up'),
];

export const LAYERS = [
  { layer: CONTRACT, imports: [] },

  { layer: LISTS, imports: [] },
  { layer: MODEL, imports: [CONTRACT, LISTS] },
  { layer: SETTINGS, imports: [MODEL] },
  { layer: SETTING_READER, imports: [SETTINGS] },
  { layer: CONFIG, imports: [CONTRACT, MODEL, SETTINGS, SETTING_READER, SAFE_FETCH] },
  ...LOGGING.map((layer) => ({
    layer,
    imports: [CONTRACT, MODEL, CONFIG, CHECKS],
  })),
  { layer: LOOKUP, imports: [CONTRACT, MODEL, LISTS] },
  { layer: MAKE_FOLDER, imports: [] },
  { layer: STATIC_FILES, imports: [] },
  { layer: STORE, imports: [CONTRACT, MODEL, MAKE_FOLDER] },
  { layer: CAMPAIGNS, imports: [CONTRACT, MODEL, STORE] },
  { layer: HOOKS, imports: [CONTRACT, MODEL] },
  { layer: service('claims'), imports: [CONTRACT, MODEL, STORE] },
  {
    layer: service('step-up'),
    imports: [CONTRACT, MODEL, STORE, EVENTS, SAFE_FETCH, service('admission'), service('record')],
  },
  { layer: SAFE_FETCH, imports: [MODEL] },
  { layer: OUTCOMES, imports: [CONTRACT, MODEL, STORE, service('record')] },
  { layer: EVENTS, imports: [CONTRACT, MODEL, STORE, OUTCOMES, CAMPAIGNS, SAFE_FETCH, ...LOGGING] },
  {
    layer: service('feeds'),
    imports: [CONTRACT, MODEL, STORE, LISTS, LOOKUP, MAKE_FOLDER, SAFE_FETCH, ...LOGGING],
  },

  { layer: CHECK, imports: [CONTRACT, MODEL] },
  { layer: service('checks/*'), imports: [CONTRACT, MODEL, LISTS, LOOKUP, CHECK] },
  { layer: CHECKS, imports: [CONTRACT, MODEL, LOOKUP, CHECK, RECALL] },
  {
    layer: service('checks/built-in-checks.ts'),
    imports: [CONTRACT, MODEL, LOOKUP, CHECK, CHECKS, service('checks/*')],
  },
  {
    layer: RECALL,
    imports: [CONTRACT, MODEL, CHECK, service('checks/*')],
  },
  /** The stages of the request: a later one can use the results of an earlier one. */
  { layer: service('admission'), imports: [CONTRACT, MODEL, LOOKUP, STORE] },
  { layer: DECISION, imports: [CONTRACT, MODEL, CHECK, CHECKS, RECALL] },
  { layer: service('record'), imports: [CONTRACT, MODEL, STORE, CHECK, CHECKS, DECISION] },
  {
    layer: service('operations'),
    imports: [CONTRACT, MODEL, LOOKUP, STORE, CHECK, RECALL, CAMPAIGNS, EVENTS, ...STAGES, ...LOGGING],
  },
  {
    layer: service('dashboard-api'),
    imports: [
      service('operations'),
      SAFE_FETCH,
      STATIC_FILES,
      CONTRACT,
      MODEL,
      LOOKUP,
      STORE,
      CHECK,
      RECALL,
      CAMPAIGNS,
      ...STAGES,
      ...LOGGING,
    ],
  },
  {
    layer: service('http'),
    imports: [CONTRACT, MODEL, LOOKUP, STORE, CHECK, MAKE_FOLDER, STATIC_FILES, ...STAGES, ...LOGGING],
  },
  /** The composition root and the processes around it. */
  { layer: 'packages/service/src', imports: ['packages/service/src/**', CONTRACT] },

  { layer: 'packages/cli/src', imports: ['packages/service/src/**', CONTRACT] },
  { layer: 'packages/dashboard/src', imports: [CONTRACT] },
  { layer: 'packages/sdk/src/core', imports: [CONTRACT] },
  { layer: 'packages/sdk/src', imports: [CONTRACT, 'packages/sdk/src/core'] },
  { layer: 'packages/sdk-react-native/src', imports: [CONTRACT, 'packages/sdk/src'] },
  { layer: 'packages/sdk-node/src', imports: [CONTRACT, 'packages/sdk/src'] },
];

/** Modules that only the named ones can import, whatever the layers allow. */
export const RESERVED = [
  {
    what: 'the list of checks',
    module: /^packages\/service\/src\/checks\/built-in-checks\.ts$/,
    importers: [service('open-checks.ts')],
  },
  {
    what: 'a store’s back end',
    module: /^packages\/service\/src\/store\/(sqlite|postgres)\//,
    importers: [
      service('open-store.ts'),
      service('sqlite-worker.ts'),
      'packages/service/src/store/',
      service('feeds/feed-'),
    ],
  },
];

/** Only one file of the service reads the environment. */
export const ENVIRONMENT = { within: 'packages/service/src/', readers: [service('config.ts')] };

/** SQL stays in the store. The dashboard’s sign-in and feeds have their own tables, and a site’s backend its own database. */
export const SQL = {
  within: 'packages/',
  homes: [
    `${STORE}/`,
    service('dashboard-api/auth'),
    service('feeds/feed-'),
    'packages/sdk-node/src/replay-stores.ts',
  ],
  statement:
    /^\s*(select\s[\s\S]+\sfrom\s|insert\s+(or\s+\w+\s+)?into\s|update\s+\S+\s+set\s|delete\s+from\s|(create|drop|alter)\s+(unique\s+)?(table|index|function)\s|pragma\s+\w+)/i,
};

export const SIZE = {
  maxLines: 400,
  free: [/\.test\.tsx?$/],
};

/** Names that say nothing about the content, and barrels, which hide imports. */
export const NAMES = {
  empty: /(^|[/-])(utils?|helpers?|misc|manager|common)(-|\.|\/)/,
  barrel: /\/index\.tsx?$/,
  published: /^packages\/(contract|sdk[a-z-]*)\/src\/index\.ts$/,
};
