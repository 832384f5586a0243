/**
 * The files of `postern apply` and `postern config export`: one document for each project. The names come from the same
 * tables as everything else that people set; this file adds the JSON Schema that editors use.
 */
import { STEP_UPS } from './challenges.ts';
import { ACTIONS, CHECK_NAMES } from './checks.ts';
import { LANGUAGE_TAGS } from './languages/language-tags.ts';
import {
  fieldRows,
  POLICY_FIELDS,
  type PolicyField,
  PROJECT_FIELDS,
  PROJECT_ID,
  type ProjectField,
} from './project-fields.ts';
import { RULE_ID, RULE_LIMITS, RULE_MODES } from './rules.ts';
import { POLICY_SIGNALS } from './signals.ts';
import { WEBHOOK_EVENT_NAMES, WEBHOOK_FORMATS, WEBHOOK_NAME_LENGTH } from './webhooks.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Where the service serves the schema. */
export const CONFIGURATION_SCHEMA_PATH = '/schema/config.json';

/** `${NAME}` is replaced with the variable of the process that applies the file. */
export const ENVIRONMENT_REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The fields of a document besides the project’s settings. */
const OTHER_FIELDS = {
  project: {
    type: 'string',
    pattern: PROJECT_ID.source,
    description: 'The ID of the project. It is created if it is not there.',
  },
  archived: { type: 'boolean', description: 'An archived project refuses every request; its data stays.' },
  policy: policySchema(),
  rules: {
    type: 'array',
    maxItems: RULE_LIMITS.rules,
    items: ruleSchema(),
    description: 'In the order in which they are tried.',
  },
  namedLists: {
    type: 'object',
    maxProperties: RULE_LIMITS.lists,
    propertyNames: { pattern: RULE_ID.source },
    additionalProperties: entries(RULE_LIMITS.listEntries),
    description: 'Lists that rules name.',
  },
  webhooks: {
    type: 'array',
    items: webhookSchema(),
    description: 'Where events are sent. A webhook is recognised by its URL.',
  },
} as const satisfies Record<string, Schema>;

export const CONFIGURATION_FIELDS: readonly string[] = [
  ...Object.keys(OTHER_FIELDS),
  ...Object.keys(PROJECT_FIELDS),
];
export const RULE_FILE_FIELDS: readonly string[] = Object.keys(ruleSchema().properties);
export const WEBHOOK_FILE_FIELDS: readonly string[] = Object.keys(webhookSchema().properties);
export const ENTRY_FILE_FIELDS: readonly string[] = Object.keys(entryFields());

/** JSON Schema (2020-12) of one document. */
export function configurationSchema(): Schema {
  const { project, ...others } = OTHER_FIELDS;
  const settings = fieldRows(PROJECT_FIELDS).map(([name, field]) => [name, settingSchema(field)]);
  const document = closed({ project, ...Object.fromEntries(settings), ...others }, ['project']);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Postern project',
    description:
      'A project for `postern apply`. A file has one document for each project, or a list of them.',
    oneOf: [document, { type: 'array', minItems: 1, items: document }],
  };
}

function closed(properties: Schema, required: readonly string[] = []) {
  return { type: 'object', properties, required, additionalProperties: false };
}

function settingSchema(field: ProjectField | PolicyField): Schema {
  return { description: field.help, ...valueSchema(field) };
}

function valueSchema(field: ProjectField | PolicyField): Schema {
  switch (field.kind) {
    case 'name':
      return { type: 'string', minLength: 1, maxLength: field.maxLength };
    case 'plan':
      return { type: 'string' };
    case 'domains':
      return { type: 'array', items: { type: 'string' }, maxItems: field.maxEntries };
    case 'list':
      return entries(field.maxEntries);
    case 'count':
      return {
        type: field.default === null ? ['integer', 'null'] : 'integer',
        minimum: field.min,
        maximum: field.max,
      };
    case 'choice':
      return { enum: field.values };
    case 'actions':
      return choices(CHECK_NAMES, [...ACTIONS, 'off']);
    case 'signals':
      return choices(POLICY_SIGNALS, ['flag', 'off']);
    case 'messages':
      return perName(
        LANGUAGE_TAGS,
        perName(CHECK_NAMES, { type: ['string', 'null'], maxLength: field.maxLength }),
      );
  }
}

function perName(names: readonly string[], schema: Schema): Schema {
  return closed(Object.fromEntries(names.map((name) => [name, schema])));
}

function choices(names: readonly string[], values: readonly string[]): Schema {
  return perName(names, { enum: values });
}

function policySchema(): Schema {
  const rows = fieldRows(POLICY_FIELDS).map(([name, field]) => [name, settingSchema(field)]);
  return { ...closed(Object.fromEntries(rows)), description: 'Which checks run and what follows from them.' };
}

/** A time in ISO form, or milliseconds since 1970. */
function moment(): Schema {
  return {
    type: ['string', 'integer'],
    description: 'When it ends: 2027-01-31T12:00:00Z, or milliseconds since 1970.',
  };
}

function entryFields() {
  return {
    value: { type: 'string' },
    note: { type: 'string' },
    flag: { const: true, description: 'On the block list: it flags and does not block.' },
    expiresAt: moment(),
  };
}

function entries(maxItems: number): Schema {
  return {
    type: 'array',
    maxItems,
    items: { oneOf: [{ type: 'string' }, closed(entryFields(), ['value'])] },
  };
}

function ruleSchema() {
  return closed(
    {
      id: { type: 'string', pattern: RULE_ID.source },
      name: { type: 'string', minLength: 1, maxLength: RULE_LIMITS.nameLength },
      when: {
        type: 'string',
        minLength: 1,
        maxLength: RULE_LIMITS.characters,
        description: 'The condition, in CEL.',
      },
      then: { enum: ACTIONS },
      mode: { enum: RULE_MODES, description: '`live` if it is absent.' },
      stepUp: { enum: STEP_UPS, description: 'With `flag`: what it asks of the person.' },
      note: { type: 'string', maxLength: RULE_LIMITS.noteLength },
      message: { type: 'string', maxLength: RULE_LIMITS.messageLength },
      expiresAt: moment(),
    },
    ['id', 'name', 'when', 'then'],
  );
}

function webhookSchema() {
  return closed(
    {
      name: { type: 'string', minLength: 1, maxLength: WEBHOOK_NAME_LENGTH },
      url: {
        type: 'string',
        description: `An http or https URL, or mailto: and an address. May use \${NAME}.`,
      },
      events: {
        oneOf: [{ const: '*' }, { type: 'array', minItems: 1, items: { enum: WEBHOOK_EVENT_NAMES } }],
        description: '`*` for all events.',
      },
      format: { enum: WEBHOOK_FORMATS },
      filter: closed({
        signals: {
          type: 'array',
          items: { type: 'string' },
          description: 'Only validations with one of these signals.',
        },
      }),
      secret: {
        type: 'string',
        pattern: '^\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$',
        description: `\${NAME}: the secret comes from the environment. Without it, one is made and shown once.`,
      },
    },
    ['url'],
  );
}
