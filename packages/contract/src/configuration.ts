/**
 * The files of `postern apply` and `postern config export`: one document for each project. The names come from the same
 * tables as everything else that people set; this file adds the JSON Schema that editors use.
 */
import * as z from 'zod';
import { listEntry } from './dashboard/fields.ts';
import { RULE_FIELDS } from './dashboard/routes/rules.ts';
import { NewWebhook } from './dashboard/routes/webhooks.ts';
import { PolicyChange, settingSchemas } from './dashboard/setting-schema.ts';
import { fieldRows, PROJECT_FIELDS, PROJECT_ID } from './project-fields.ts';
import { RULE_ID, RULE_LIMITS } from './rules.ts';

/** Where the service serves the schema. */
export const CONFIGURATION_SCHEMA_PATH = '/schema/config.json';

/** `${NAME}` is replaced with the variable of the process that applies the file. */
export const ENVIRONMENT_REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** A time in ISO form, or milliseconds since 1970. */
const expiresAt = z
  .union([z.string(), z.int()])
  .meta({ description: 'When it ends: 2027-01-31T12:00:00Z, or milliseconds since 1970.' })
  .optional();
const Entry = listEntry.omit({ author: true }).extend({ expiresAt });
const FileRule = z.strictObject({ id: z.string().regex(RULE_ID), ...RULE_FIELDS, expiresAt });
const FileWebhook = NewWebhook.extend({
  url: z.string().meta({
    description: `An http or https URL, or mailto: and an address. May use \${NAME}.`,
  }),
  secret: z
    .string()
    .regex(/^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/)
    .meta({
      description: `\${NAME}: the secret comes from the environment. Without it, one is made and shown once.`,
    })
    .optional(),
});
const entries = (most: number) => z.array(z.union([z.string(), Entry])).max(most);
const ownLists = fieldRows(PROJECT_FIELDS).flatMap(([name, field]) =>
  field.kind === 'list'
    ? [[name, entries(field.maxEntries).meta({ description: field.help }).optional()]]
    : [],
);

const Document = z.strictObject({
  project: z
    .string()
    .regex(PROJECT_ID)
    .meta({ description: 'The ID of the project. It is created if it is not there.' }),
  ...settingSchemas(PROJECT_FIELDS),
  ...Object.fromEntries(ownLists),
  archived: z
    .boolean()
    .meta({ description: 'An archived project refuses every request; its data stays.' })
    .optional(),
  policy: PolicyChange.meta({ description: 'Which checks run and what follows from them.' }).optional(),
  rules: z
    .array(FileRule)
    .max(RULE_LIMITS.rules)
    .meta({ description: 'In the order in which they are tried.' })
    .optional(),
  namedLists: z
    .record(z.string().regex(RULE_ID), entries(RULE_LIMITS.listEntries))
    .meta({ description: 'Lists that rules name.' })
    .optional(),
  webhooks: z
    .array(FileWebhook)
    .meta({ description: 'Where events are sent. A webhook is recognised by its URL.' })
    .optional(),
});

export const CONFIGURATION_FIELDS: readonly string[] = Object.keys(Document.shape);
export const RULE_FILE_FIELDS: readonly string[] = Object.keys(FileRule.shape);
export const WEBHOOK_FILE_FIELDS: readonly string[] = Object.keys(FileWebhook.shape);
export const ENTRY_FILE_FIELDS: readonly string[] = Object.keys(Entry.shape);

/** JSON Schema (2020-12) of one document. */
export function configurationSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(
    z.union([Document, z.array(Document).min(1)]).meta({
      title: 'Postern project',
      description:
        'A project for `postern apply`. A file has one document for each project, or a list of them.',
    }),
    {
      io: 'input',
      // The words of our own messages mean nothing to an editor.
      override: ({ jsonSchema }) => {
        for (const word of ['expected', 'sentence', 'names']) delete jsonSchema[word];
      },
    },
  );
}
