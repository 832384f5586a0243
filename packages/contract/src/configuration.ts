/**
 * The files of `postern apply` and `postern config export`: one document for each project. The names come from the same
 * tables as everything else that people set; this file adds the JSON Schema that editors use.
 */
import * as z from 'zod';
import {
  blockEntry,
  listEntry,
  listValue,
  namedLists,
  projectId,
  ruleId,
  ruleList,
  time,
} from './dashboard/fields.ts';
import { RULE_FIELDS } from './dashboard/routes/rules.ts';
import { NewWebhook } from './dashboard/routes/webhooks.ts';
import { PolicyChange, SETTINGS } from './dashboard/setting-schema.ts';
import { type ListField, PROJECT_FIELDS } from './project-fields.ts';
import { RULE_LIMITS } from './rules.ts';

/** Where the service serves the schema. */
export const CONFIGURATION_SCHEMA_PATH = '/schema/config.json';

/** `${NAME}` is replaced with the variable of the process that applies the file. */
export const ENVIRONMENT_REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

const TIME = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/;
/** People write an end as a date. The store keeps milliseconds. */
const expiresAt = z
  .union([z.string().regex(TIME).transform(Date.parse).refine(Number.isInteger), time])
  .meta({
    description: 'When it ends: 2027-01-31T12:00:00Z, or milliseconds since 1970.',
    refused: 'is not a time. Write it like 2027-01-31 or 2027-01-31T12:00:00Z.',
  })
  .optional();
const Entry = listEntry.omit({ author: true }).extend({ expiresAt });
/** An entry that has only a value can be that value. */
const entries = (most: number, entry: z.ZodType = Entry) =>
  z
    .array(z.union([listValue.transform((value) => ({ value })), entry]))
    .max(most)
    .meta({ form: 'fileEntries' });
const FileRule = z.strictObject({ id: ruleId, ...RULE_FIELDS, expiresAt }).meta({ form: 'rule' });
const FileWebhook = NewWebhook.extend({
  url: z.string().meta({
    description: `An http or https URL, or mailto: and an address. May use \${NAME}.`,
  }),
  secret: z
    .string()
    .regex(/^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/)
    .meta({
      description: `\${NAME}: the secret comes from the environment. Without it, one is made and shown once.`,
      sentence: `A secret is never in a file. Write secret: \${NAME} to take it from the environment, or leave it out.`,
    })
    .optional(),
});
const ownList = ({ label, help, maxEntries }: ListField, entry?: z.ZodType) =>
  entries(maxEntries, entry).meta({ title: label, description: help }).optional();

/** One document of a file. */
export const ConfigurationDocument = z.strictObject({
  project: projectId.meta({
    description: 'The ID of the project. It is created if it is not there.',
    sentence: 'A document needs `project`, the project’s ID.',
  }),
  ...SETTINGS,
  allowList: ownList(PROJECT_FIELDS.allowList),
  blockList: ownList(PROJECT_FIELDS.blockList, Entry.extend({ flag: blockEntry.shape.flag })),
  archived: z
    .boolean()
    .meta({ description: 'An archived project refuses every request; its data stays.' })
    .optional(),
  policy: PolicyChange.meta({ description: 'Which checks run and what follows from them.' }).optional(),
  rules: ruleList(FileRule).meta({ description: 'In the order in which they are tried.' }).optional(),
  namedLists: namedLists(entries(RULE_LIMITS.listEntries))
    .meta({ description: 'Lists that rules name.' })
    .optional(),
  webhooks: z
    .array(FileWebhook)
    .meta({ description: 'Where events are sent. A webhook is recognised by its URL.' })
    .optional(),
});

const WORDS = ['expected', 'sentence', 'names', 'refused', 'most', 'each', 'form'];

/** JSON Schema (2020-12) of one document. */
export function configurationSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(
    z.union([ConfigurationDocument, z.array(ConfigurationDocument).min(1)]).meta({
      title: 'Postern project',
      description:
        'A project for `postern apply`. A file has one document for each project, or a list of them.',
    }),
    {
      io: 'input',
      // The words of our own messages mean nothing to an editor.
      override: ({ jsonSchema }) => {
        for (const word of WORDS) delete jsonSchema[word];
      },
    },
  );
}
