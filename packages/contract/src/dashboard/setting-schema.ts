/** The settings of a project and of its policy as schemas, from the tables of their fields. */
import * as z from 'zod';
import { ACTIONS, CHECK_NAMES } from '../checks.ts';
import { LANGUAGE_TAGS } from '../languages/language-tags.ts';
import {
  fieldRows,
  POLICY_FIELDS,
  type PolicyField,
  type PolicyPatch,
  PROJECT_FIELDS,
  type ProjectField,
  type ProjectFieldName,
  type ProjectPatch,
} from '../project-fields.ts';
import { POLICY_SIGNALS } from '../signals.ts';
import { blockEntry, line, listEntry, named, plainText } from './fields.ts';

type Schemas<Values> = {
  [Name in keyof Values]-?: z.ZodOptional<
    z.ZodType<Exclude<Values[Name], undefined>, Exclude<Values[Name], undefined>>
  >;
};

export const PolicyChange = named('Policy field', settingSchemas<PolicyPatch>(POLICY_FIELDS)) as z.ZodType<
  PolicyPatch,
  PolicyPatch
>;

export const SETTINGS = settingSchemas<Pick<ProjectPatch, ProjectFieldName>>(PROJECT_FIELDS);

/** The fields of a table, each with what people call it. */
function settingSchemas<Values>(
  fields: Readonly<Record<string, ProjectField | PolicyField>>,
): Schemas<Values> {
  const schemas = fieldRows(fields).map(([name, field]) => {
    const { label: title, help: description } = field;
    return [name, valueSchema(field).meta({ title, description }).optional()] as const;
  });
  return Object.fromEntries(schemas) as Schemas<Values>;
}

function valueSchema(field: ProjectField | PolicyField): z.ZodType {
  switch (field.kind) {
    case 'name':
      return line(field.maxLength).meta({
        sentence: `A project’s name has 1 to ${field.maxLength} characters.`,
      });
    case 'plan':
      return z.string().meta({ form: 'plan' });
    case 'domains':
      return z.array(z.string().meta({ form: 'allowedDomain' })).max(field.maxEntries);
    case 'list':
      return z.array(field.flags ? blockEntry : listEntry).max(field.maxEntries);
    case 'count': {
      const { min, max, unit } = field;
      const count = z.int().min(min).max(max);
      const described = count.meta({ expected: `a whole number from ${min} to ${max} (${unit})` });
      return field.default === null ? described.nullable() : described;
    }
    case 'choice':
      return z.enum(field.values);
    case 'actions':
      return choices('Check', CHECK_NAMES, [...ACTIONS, 'off']);
    case 'signals':
      return choices('Signal', POLICY_SIGNALS, ['flag', 'off']);
    case 'messages': {
      const message = plainText(field.maxLength).nullable().exactOptional();
      const messages = named(
        'Check',
        ofEach(CHECK_NAMES, () => message),
      );
      return named(
        'Language',
        ofEach(LANGUAGE_TAGS, () => messages.nullable().exactOptional()),
      );
    }
  }
}

function ofEach<S>(names: readonly string[], schemaOf: (name: string) => S): Record<string, S> {
  return Object.fromEntries(names.map((name) => [name, schemaOf(name)]));
}

function choices(what: string, names: readonly string[], values: readonly string[]): z.ZodType {
  return named(
    what,
    ofEach(names, (name) =>
      z
        .enum(values)
        .meta({ title: `Action of ${name}` })
        .exactOptional(),
    ),
  );
}
