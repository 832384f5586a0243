/**
 * The plan of the house as data. A room is a folder or a file; the longest path that fits names a module’s room.
 * A room may import itself and the rooms in `imports`; nothing else. `*` stands for one folder’s name, and each
 * such folder is a room of its own: no check imports another.
 */
const service = (room) => `packages/service/src/${room}`;
const WIRE = 'packages/contract/src';
const MODEL = service('model');
/** Reads the files in `packages/service/lists`. */
const LISTS = service('lists');
const LOOKUP = service('lookup');
const STORE = service('store');
const CHECK = service('checks/check.ts');
const CONFIG = service('config.ts');
/** What the service tells its operator; leaves that any stage with side effects may use. */
const TELLING = [service('log.ts'), service('metrics.ts'), service('worker-metrics.ts')];
/** How a folder of ours is made. */
const MAKE_FOLDER = service('make-folder.ts');
/** The one way to send a request to an address that somebody else chose. Feeds and webhooks share it. */
const SAFE_FETCH = service('events/safe-fetch');
const EVENTS = service('events');
const OUTCOMES = service('outcomes');
const CHECKS = service('checks');
const DECISION = service('decision');
const STAGES = [
  service('admission'),
  CHECKS,
  DECISION,
  service('record'),
  service('administration'),
  OUTCOMES,
];

export const ROOMS = [
  { room: WIRE, imports: [] },

  { room: LISTS, imports: [] },
  { room: MODEL, imports: [WIRE, LISTS] },
  { room: CONFIG, imports: [WIRE, MODEL] },
  ...TELLING.map((room) => ({ room, imports: [WIRE, MODEL, CONFIG, CHECKS, service('worker-metrics.ts')] })),
  { room: LOOKUP, imports: [WIRE, MODEL, LISTS] },
  { room: MAKE_FOLDER, imports: [] },
  { room: STORE, imports: [WIRE, MODEL, MAKE_FOLDER] },
  { room: SAFE_FETCH, imports: [MODEL] },
  { room: OUTCOMES, imports: [WIRE, MODEL, STORE, service('record')] },
  { room: EVENTS, imports: [WIRE, MODEL, STORE, SAFE_FETCH, ...TELLING] },
  { room: service('feeds'), imports: [WIRE, MODEL, LISTS, LOOKUP, MAKE_FOLDER, SAFE_FETCH, ...TELLING] },

  { room: CHECK, imports: [WIRE, MODEL] },
  { room: service('checks/*'), imports: [WIRE, MODEL, LISTS, LOOKUP, CHECK] },
  { room: CHECKS, imports: [WIRE, MODEL, LOOKUP, CHECK] },
  {
    room: service('checks/built-in-checks.ts'),
    imports: [WIRE, MODEL, LOOKUP, CHECK, CHECKS, service('checks/*')],
  },
  /** The stages of the request: a later one may look back at what an earlier one found. */
  { room: service('admission'), imports: [WIRE, MODEL, LOOKUP, STORE] },
  { room: DECISION, imports: [WIRE, MODEL, CHECK, CHECKS] },
  { room: service('record'), imports: [WIRE, MODEL, STORE, CHECK, CHECKS, DECISION] },
  {
    room: service('administration'),
    imports: [WIRE, MODEL, STORE, CHECK, CHECKS, DECISION, service('record'), OUTCOMES, EVENTS],
  },

  { room: service('dashboard-api'), imports: [WIRE, MODEL, LOOKUP, STORE, CHECK, ...STAGES, ...TELLING] },
  { room: service('http'), imports: [WIRE, MODEL, LOOKUP, STORE, CHECK, ...STAGES, ...TELLING] },
  /** The composition root and the processes around it. */
  { room: 'packages/service/src', imports: ['packages/service/src/**', WIRE] },

  { room: 'packages/cli/src', imports: ['packages/service/src/**', WIRE] },
  { room: 'packages/dashboard/src', imports: [WIRE] },
  { room: 'packages/sdk-core/src', imports: [WIRE] },
  { room: 'packages/sdk-browser/src', imports: [WIRE, 'packages/sdk-core/src'] },
  { room: 'packages/sdk-react/src', imports: [WIRE, 'packages/sdk-core/src', 'packages/sdk-browser/src'] },
  { room: 'packages/sdk-react-native/src', imports: [WIRE, 'packages/sdk-core/src'] },
  { room: 'packages/sdk-node/src', imports: [WIRE, 'packages/sdk-core/src'] },
];

/** Modules that only the named ones may import, whatever the rooms allow. */
export const RESERVED = [
  {
    what: 'the list of checks',
    module: /^packages\/service\/src\/checks\/built-in-checks\.ts$/,
    importers: [service('service.ts')],
  },
  {
    what: 'a store’s back end',
    module: /^packages\/service\/src\/store\/(sqlite|postgres)\//,
    importers: [service('open-store.ts'), 'packages/service/src/store/'],
  },
];

/** The environment has one reader in the service. */
export const ENVIRONMENT = { within: 'packages/service/src/', readers: [service('config.ts')] };

/** SQL stays in the store; the dashboard’s sign-in keeps tables of its own. */
export const SQL = {
  within: 'packages/',
  homes: [`${STORE}/`, service('dashboard-api/auth')],
  statement:
    /^\s*(select\s[\s\S]+\sfrom\s|insert\s+(or\s+\w+\s+)?into\s|update\s+\S+\s+set\s|delete\s+from\s|(create|drop|alter)\s+(unique\s+)?(table|index|function)\s|pragma\s+\w+)/i,
};

export const SIZE = {
  maxLines: 400,
  free: [/\.test\.tsx?$/, /\/migrations\//],
};

/** Names that say nothing about what is inside; and barrels, which hide who imports what. */
export const NAMES = {
  empty: /(^|[/-])(utils?|helpers?|misc|manager|common)(-|\.|\/)/,
  barrel: /\/index\.tsx?$/,
  published: /^packages\/(contract|sdk-[a-z-]+)\/src\/index\.ts$/,
};
