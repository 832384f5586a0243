/**
 * Generates parts of the docs, so that they agree with the code: tables from the code that they describe, between
 * `<!-- table: NAME -->` and `<!-- end -->`, and a framework’s steps, after `<!-- steps: NAME -->`.
 * `npm run docs` writes them. `npm run docs -- --check` only compares; a test runs it. The long references are only filled for
 * the docs site.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readFrameworks } from './frameworks.mjs';

const root = new URL('../', import.meta.url);

const contract = await import('../packages/contract/dist/index.js');
const rules = await import('../packages/contract/dist/rules.js');
const presets = await import('../packages/contract/dist/rule-presets.js');
const { PROJECT_FIELDS, POLICY_FIELDS } = await import('../packages/contract/dist/project-fields.js');
const { DASHBOARD_ROUTES } = await import('../packages/contract/dist/dashboard-routes.js');
const { meaningOf, SETTINGS } = await import('../packages/service/dist/settings.js');
const { METRICS } = await import('../packages/service/dist/metrics/metric-table.js');
const { SANDBOX_ADDRESSES, SANDBOX_DOMAIN } = await import(
  '../packages/service/dist/checks/sandbox-address.js'
);
const userAgent = await import('../packages/service/dist/model/user-agent.js');
const { BUILT_IN_SOURCES } = await import('../packages/service/dist/feeds/feed-source.js');

const { createProgram } = await import('../packages/cli/dist/create-program.js');

const { frameworkSteps, stepsMarkdown } = await import('../packages/contract/dist/framework-steps.js');

const cell = (value) => String(value).replaceAll('|', '\\|').replaceAll('\n', ' ');
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
const code = (value) => `\`${value}\``;
const span = (ms) => {
  const hours = ms / 3_600_000;
  if (hours === 0) return '';
  const [count, unit] = hours % 24 === 0 ? [hours / 24, 'day'] : [hours, 'hour'];
  return count === 1 ? unit : `${count} ${unit}s`;
};
const feedUse = (use) => {
  if (use.list === 'domains') return `domains, ${use.tier}`;
  return use.table ? 'networks, the table itself' : `networks, ${code(use.kind)}`;
};

const projectFields = (fields) => [
  'Field, Type, Default, Command line, Meaning',
  Object.entries(fields).map(([name, field]) => [
    ...[code(name), fieldType(field), fieldDefault(field), code(`--${field.option}`), field.help],
  ]),
];
const fieldType = (field) => {
  if (field.kind === 'count') return `${field.min} to ${field.max} ${field.unit}`;
  if (field.kind === 'choice') return field.values.map(code).join(', ');
  return (
    { name: 'text', plan: 'a plan’s name', domains: 'list of patterns', list: 'list of entries' }[
      field.kind
    ] ?? 'object'
  );
};
const fieldDefault = ({ kind, default: value }) => {
  if (value === undefined || kind === 'actions') return '';
  if (value === null) return 'none';
  return code(typeof value === 'object' ? JSON.stringify(value) : value);
};

/** The fields of a route’s body, then the names of its query. */
const routeFields = ({ body, query = [] }) =>
  [
    ...Object.entries(body?.shape ?? {}).map(([name, field]) => `${name}${field.isOptional() ? '?' : ''}`),
    ...query.map((name) => `${name}?`),
  ]
    .map(code)
    .join(', ');

/** The four spans of a crowd are one row, and what is the same for all crowds is said once. */
function ruleFactRow([name, { type, meaning }]) {
  const [, crowd, span] = /^(crowd\.\w+)\.(\w+)$/.exec(name) ?? [];
  if (span !== undefined && span !== 'month') return [];
  const names = crowd === undefined ? [name] : [`${crowd}.hour`, '.day', '.week', '.month'];
  const thing = crowd === 'crowd.domain' ? undefined : /came with (.*), within/.exec(meaning)?.[1];
  return [
    [
      names.map(code).join(', '),
      { list: 'list of texts', string: 'text', int: 'whole number', bool: 'true or false' }[type],
      thing === undefined
        ? meaning.replace('30 days;', 'hour, day, 7 or 30 days;')
        : `The same for ${thing}.`,
    ],
  ];
}

/** The whole command line, from the program itself. */
function commandReference() {
  const terminal = { out() {}, error() {}, colors: {} };
  const program = createProgram({ terminal, environment: {}, now: Date.now, patienceMs: 0, version: '' });
  return leavesOf(program, '')
    .map(({ name, command }) => {
      const arguments_ = command.registeredArguments.map((one) => {
        const shown = one.variadic ? `${one.name()}…` : one.name();
        return one.required ? ` ${shown.toUpperCase()}` : ` [${shown.toUpperCase()}]`;
      });
      const options = command.options.filter(({ hidden }) => !hidden);
      const rows = options.map(({ flags, description }) => [code(flags), description]);
      return [
        `## postern${name}`,
        `${code(`postern${name}${arguments_.join('')}${options.length > 0 ? ' [options]' : ''}`)}: ${command.description() || command.summary()}`,
        ...(rows.length > 0 ? [table(['Option', 'Meaning'], rows)] : []),
      ].join('\n\n');
    })
    .join('\n\n');
}

/** The commands that do something. Others only hold them. */
function leavesOf(command, name) {
  const inner = command.commands.filter((one) => one.name() !== 'help');
  if (inner.length === 0) return [{ name, command }];
  const leaves = inner.flatMap((one) => leavesOf(one, `${name} ${one.name()}`));
  // `postern sdk` does something too.
  return name !== '' && command.options.length > 0 ? [{ name, command }, ...leaves] : leaves;
}

const byCheck = (values) => contract.CHECK_NAMES.map((check) => [check, values[check]]);
const shownName = (names, shown = code) =>
  Object.entries(names).map(([name, value]) => [code(name), shown(value)]);

/** Each table by its name: its columns and its rows. */
const TABLES = {
  errors: () => [
    'Status, Code, Label, `error`, When',
    Object.entries(contract.API_ERRORS).map(([name, { status, label, text, when }]) => [
      ...[status, code(name), code(label), code(text), when],
    ]),
  ],
  headers: () => [
    'Header, On, Meaning',
    Object.entries(contract.HEADERS).map(([name, { on, meaning }]) => [code(name), on, meaning]),
  ],
  'rule-facts': () => ['Fact, Type, Meaning', Object.entries(rules.RULE_FACTS).flatMap(ruleFactRow)],
  'rule-limits': () => [
    'What, At most',
    Object.entries({
      'rules of a project': rules.RULE_LIMITS.rules,
      'characters of a condition': rules.RULE_LIMITS.characters,
      'names, values and operators of a condition': rules.RULE_LIMITS.nodes,
      'brackets, conditions and functions inside each other': rules.RULE_LIMITS.depth,
      'steps of a condition': rules.RULE_LIMITS.steps,
      'steps of all rules of a project together': rules.RULE_LIMITS.stepsOfAll,
      'named lists of a project': rules.RULE_LIMITS.lists,
      'entries of a named list': rules.RULE_LIMITS.listEntries,
    }).map(([what, most]) => [what, most.toLocaleString('en')]),
  ],
  'rule-functions': () => [
    'Function, Meaning',
    Object.values(rules.RULE_FUNCTIONS).map(({ form, meaning }) => [code(form), meaning]),
  ],
  'rule-presets': () => [
    'For, Preset, Condition, Answer',
    Object.entries(presets.RULE_PRESETS).map(([id, { group, when, then }]) => [
      presets.RULE_PRESET_GROUPS[group],
      ...[id, when, then].map(code),
    ]),
  ],
  'webhook-events': () => ['Event, When', shownName(contract.WEBHOOK_EVENTS, ({ when }) => when)],
  signals: () => [
    'Signal, Check, Check fails with it, Meaning',
    Object.entries(contract.SIGNALS).map(([name, { check, checkFails, meaning }]) => [
      ...[code(name), check === null ? 'lists, rules' : code(check), checkFails, meaning],
    ]),
  ],
  metadata: () => [
    'Check, Fields',
    shownName(contract.CHECK_METADATA, (fields) => Object.keys(fields).map(code).join(' ')),
  ],
  messages: () => ['Check, Message', byCheck(contract.MESSAGES).map(([check, text]) => [code(check), text])],
  actions: () => ['Check, Default action', byCheck(contract.DEFAULT_ACTIONS).map((row) => row.map(code))],
  'sandbox-addresses': () => [
    'Address, Result',
    Object.entries(SANDBOX_ADDRESSES).map(([local, { gives }]) => [
      code(`${local}@${SANDBOX_DOMAIN}`),
      gives,
    ]),
  ],
  settings: () => [
    'Setting, Default, Meaning',
    SETTINGS.map((setting) => [
      ...[code(setting.name), setting.default === '' ? '' : code(setting.default), meaningOf(setting)],
    ]),
  ],
  metrics: () => [
    'Metric, Meaning',
    METRICS.map(({ name, labels, help }) => [
      code(labels.length === 0 ? name : `${name}{${labels.join(',')}}`),
      help,
    ]),
  ],
  feeds: () => [
    'Source, From, Used for, Licence, Refreshed every, Entries kept longer, Refused below',
    BUILT_IN_SOURCES.map(({ name, urls, use, licence, everyMs, keepMs, minEntries }) => [
      ...[
        code(name),
        urls.map((url) => `<${url}>`).join(' '),
        feedUse(use),
        licence,
        span(everyMs),
        span(keepMs),
      ],
      `${minEntries.toLocaleString('en')} entries`,
    ]),
  ],
  'dashboard-routes': () => [
    'Route, Least role, Fields, What',
    Object.entries(DASHBOARD_ROUTES).map(([name, route]) => [
      ...[code(name), route.role, routeFields(route)],
      route.sessionOnly ? `${route.what}; not with an access token` : route.what,
    ]),
  ],
  'project-fields': () => projectFields(PROJECT_FIELDS),
  'policy-fields': () => projectFields(POLICY_FIELDS),
};

/** Parts that are no table. */
const TEXTS = {
  languages: () => {
    const names = new Intl.DisplayNames(['en'], { type: 'language' });
    return contract.LANGUAGE_TAGS.map((tag) => `${names.of(tag)} (${code(tag)})`).join(', ');
  },
  commands: commandReference,
  'browser-products': () => userAgent.BROWSER_PRODUCTS.map(code).join(' '),
};

function generated(name) {
  if (Object.hasOwn(TEXTS, name)) return TEXTS[name]();
  if (!Object.hasOwn(TABLES, name))
    throw new Error(`Unknown table ${name}; add it to TABLES in scripts/docs.mjs`);
  const [columns, rows] = TABLES[name]();
  return table(columns.split(', '), rows);
}

const FILES = [
  'docs/settings.md',
  'docs/api.md',
  'docs/rules.md',
  'docs/data-sources.md',
  'docs/webhooks.md',
  ...readdirSync(new URL('docs/guides/', root)).map((name) => `docs/guides/${name}`),
];
const BLOCK = /(<!-- table: ([a-z-]+) -->\n)[\s\S]*?(<!-- end -->)/g;

const { version: packageVersion } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const STEPS = /(<!-- steps: ([a-z-]+) -->\n)[\s\S]*?(<!-- end -->)/g;

/** The steps that the command line and the dashboard show, with placeholders. */
function steps(id) {
  const framework = readFrameworks().find((one) => one.id === id);
  if (framework === undefined) throw new Error(`examples/frameworks.json has no ${id}`);
  return stepsMarkdown(
    frameworkSteps(
      framework,
      { version: packageVersion, files: [], frameworks: [] },
      {
        baseUrl: 'https://postern.example.com',
        projectId: 'YOUR_PROJECT_ID',
        clientKey: 'YOUR_CLIENT_KEY',
        serverKey: 'YOUR_SERVER_KEY',
      },
    ),
  );
}

/** Their tables are as long as the code that they describe, so the repository has only what is written by hand. */
export const FILLED_FOR_SITE = ['docs/cli.md', 'docs/dashboard-api.md', 'docs/monitoring.md'];

export function render(text) {
  const withSteps = text.replace(STEPS, (_all, start, id, end) => `${start}${steps(id)}\n${end}`);
  return withSteps.replace(BLOCK, (_all, start, name, end) => `${start}${generated(name)}\n${end}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const stale = [];
  for (const file of FILES) {
    const path = new URL(file, root);
    const text = readFileSync(path, 'utf8');
    const rendered = render(text);
    if (text === rendered) continue;
    stale.push(file);
    if (!process.argv.includes('--check')) writeFileSync(path, rendered);
  }
  if (process.argv.includes('--check') && stale.length > 0) {
    console.error(`Out of date: ${stale.join(', ')}. Run: npm run docs`);
    process.exit(1);
  }
}
