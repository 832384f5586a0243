import { WEBHOOK_SECRET_PREFIX } from '@postern/contract';
import {
  CONFIGURATION_FIELDS,
  ENTRY_FILE_FIELDS,
  ENVIRONMENT_REFERENCE,
  RULE_FILE_FIELDS,
  WEBHOOK_FILE_FIELDS,
} from '@postern/contract/configuration';
import { listEntry, NewWebhook } from '@postern/contract/dashboard-routes';
import {
  type ListEntry,
  PROJECT_FIELDS,
  type ProjectFieldName,
  type ProjectPatch,
} from '@postern/contract/project-fields';
import type { Rule } from '@postern/contract/rules';
import { DEFAULT_POLICY } from '../../model/project.ts';
import { InvalidInput, quoted, refuseUnlessObject } from '../administration.ts';
import { readListEntry, readListName } from '../list-entry.ts';
import { readProjectFields, readProjectId } from '../project-fields.ts';
import { readBody } from '../read-body.ts';
import { readRule } from '../read-rules.ts';
import { readWebhook } from '../webhooks.ts';
import type { FaultCollector, Path, SourceDocument } from './source-document.ts';
import { type Environment, filledIn, type GivenWebhook, idInHiddenUrl, shownUrl } from './webhook-url.ts';

/** What a document says about a project, each value checked. */
export interface GivenProject {
  readonly id: string;
  readonly archived: boolean | undefined;
  readonly patch: ProjectPatch;
  readonly webhooks: readonly GivenWebhook[] | undefined;
  readonly source: SourceDocument;
}

interface ReadingContext {
  readonly plans: ReadonlyMap<string, number>;
  readonly environment: Environment;
  readonly faults: FaultCollector;
}

type Fields = Readonly<Record<string, unknown>>;

const WEBHOOKS = { path: ['webhooks'], what: 'A webhook', known: WEBHOOK_FILE_FIELDS };

/** Reads every value with the reader of the dashboard and the command line. Faults are collected with their places. */
export function readDocument(source: SourceDocument, context: ReadingContext): GivenProject | undefined {
  const { faults, plans } = context;
  const fields = faults.attempt(source, [], () => readObject(source.value, 'A document'));
  if (fields === undefined) return undefined;
  refuseUnknown(fields, CONFIGURATION_FIELDS, [], source, faults);
  const id = faults.attempt(source, 'project' in fields ? ['project'] : [], () => readId(fields.project));
  const archived = faults.attempt(source, ['archived'], () => readBoolean(fields.archived));
  const patch: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(PROJECT_FIELDS)) {
    const value = fields[name];
    if (value === undefined) continue;
    if (field.kind === 'list') patch[name] = readEntries(value, [name], name, field.label, source, context);
    else
      faults.attempt(source, [name], () => {
        readProjectFields({ [name as ProjectFieldName]: value }, plans, DEFAULT_POLICY);
        patch[name] = value;
      });
  }
  if (fields.policy !== undefined) patch.policy = readPolicyFields(fields.policy, source, context);
  if (fields.rules !== undefined) patch.rules = readRuleList(fields.rules, source, context);
  if (fields.namedLists !== undefined) patch.namedLists = readLists(fields.namedLists, source, context);
  const webhooks =
    fields.webhooks === undefined
      ? undefined
      : readEach(fields.webhooks, WEBHOOKS, source, faults, (webhook) =>
          readWebhookEntry(webhook, context.environment),
        );
  return id === undefined ? undefined : { id, archived, patch, webhooks, source };
}

function readId(id: unknown): string {
  if (id === undefined) throw new InvalidInput('project', 'A document needs `project`, the project’s ID.');
  return readProjectId(id as string);
}

function readBoolean(value: unknown): boolean | undefined {
  if (value !== undefined && typeof value !== 'boolean')
    throw new InvalidInput('archived', `Expected true or false, not ${quoted(value)}.`);
  return value;
}

function readObject(value: unknown, what: string): Fields {
  refuseUnlessObject(what, value);
  return value as Fields;
}

function refuseUnknown(
  fields: Fields,
  known: readonly string[],
  path: Path,
  source: SourceDocument,
  faults: FaultCollector,
): void {
  for (const name of Object.keys(fields))
    if (!known.includes(name))
      faults.add(source, [...path, name], `This field is not known. Use one of: ${known.join(', ')}.`);
}

function readPolicyFields(value: unknown, source: SourceDocument, { faults, plans }: ReadingContext): Fields {
  const fields = faults.attempt(source, ['policy'], () => readObject(value, 'policy')) ?? {};
  for (const [name, setting] of Object.entries(fields)) {
    // Each check, signal and language on its own, so that the fault’s line is the right one.
    const isMap = typeof setting === 'object' && setting !== null && !Array.isArray(setting);
    const parts = isMap ? Object.entries(setting) : [];
    const patches = isMap
      ? parts.map(([part, given]) => [[name, part], { [name]: { [part]: given } }] as const)
      : [[[name], { [name]: setting }] as const];
    for (const [path, policy] of patches)
      faults.attempt(source, ['policy', ...path], () => readProjectFields({ policy }, plans, DEFAULT_POLICY));
  }
  return fields;
}

/** Reads each object of a list. One that is at fault is left out. */
function readEach<T>(
  value: unknown,
  { path, what, known }: { readonly path: Path; readonly what: string; readonly known: readonly string[] },
  source: SourceDocument,
  faults: FaultCollector,
  read: (fields: Fields) => T,
): T[] {
  if (!Array.isArray(value)) {
    faults.add(source, path, `Expected a list, not ${quoted(value)}.`);
    return [];
  }
  return value.flatMap((item, index) => {
    const place = [...path, index];
    const attempt = () => {
      const fields = readObject(item, what);
      refuseUnknown(fields, known, place, source, faults);
      return [read(fields)];
    };
    return faults.attempt(source, place, attempt) ?? [];
  });
}

function readEntries(
  value: unknown,
  path: Path,
  field: string,
  label: string,
  source: SourceDocument,
  { faults }: ReadingContext,
): ListEntry[] {
  const seen = new Set<string>();
  const given = Array.isArray(value)
    ? value.map((item: unknown) => (typeof item === 'string' ? { value: item } : item))
    : value;
  const list = { path, what: 'An entry', known: ENTRY_FILE_FIELDS };
  return readEach(given, list, source, faults, (fields) => {
    const entry = readBody(listEntry.strip(), { ...fields, ...readEnd(fields) });
    const read = readListEntry(field, label, entry);
    if (seen.has(read.value)) throw new InvalidInput(field, `${quoted(read.value)} is in the list twice.`);
    seen.add(read.value);
    return read;
  });
}

function readLists(value: unknown, source: SourceDocument, context: ReadingContext): Fields {
  const { faults } = context;
  const lists = faults.attempt(source, ['namedLists'], () => readObject(value, 'namedLists')) ?? {};
  return Object.fromEntries(
    Object.entries(lists).map(([name, entries]) => {
      const path = ['namedLists', name];
      faults.attempt(source, path, () => readListName(name));
      return [name, readEntries(entries ?? [], path, 'namedLists', `List ${name}`, source, context)];
    }),
  );
}

function readRuleList(value: unknown, source: SourceDocument, { faults }: ReadingContext): Rule[] {
  const ids = new Set<string>();
  const list = { path: ['rules'], what: 'A rule', known: RULE_FILE_FIELDS };
  return readEach(value, list, source, faults, (fields) => {
    const read = readRule({ ...fields, ...readEnd(fields) });
    if (ids.has(read.id))
      throw new InvalidInput('rules', `There are two rules with the ID ${quoted(read.id)}.`);
    ids.add(read.id);
    return read;
  });
}

/** People write an end as a date. The store keeps milliseconds. */
function readEnd({ expiresAt }: Fields): { expiresAt?: unknown } {
  if (typeof expiresAt !== 'string') return {};
  const time = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(expiresAt)
    ? Date.parse(expiresAt)
    : Number.NaN;
  if (Number.isNaN(time))
    throw new InvalidInput(
      'expiresAt',
      `expiresAt: ${quoted(expiresAt)} is not a time. Write it like 2027-01-31 or 2027-01-31T12:00:00Z.`,
    );
  return { expiresAt: time };
}

function readWebhookEntry({ url, secret, ...fields }: Fields, environment: Environment): GivenWebhook {
  const written = typeof url === 'string' ? url.trim() : '';
  const kept = idInHiddenUrl(written);
  const filled = kept === undefined ? filledIn(written, 'url', environment) : 'https://kept.invalid';
  // The message must not repeat what the environment has.
  if (filled !== written && kept === undefined && !URL.canParse(filled))
    throw new InvalidInput('url', `${quoted(written)} does not become a URL.`);
  const body = readBody(NewWebhook, { ...fields, url: filled });
  return {
    settings: readWebhook(body),
    written: kept === undefined ? shownUrl(written, filled) : written,
    kept,
    secret: readSecret(secret, environment),
  };
}

const SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/;

function readSecret(secret: unknown, environment: ReadingContext['environment']): string | undefined {
  if (secret === undefined) return undefined;
  if (typeof secret !== 'string' || secret.replace(ENVIRONMENT_REFERENCE, '') !== '')
    throw new InvalidInput(
      'secret',
      `A secret is never in a file. Write secret: \${NAME} to take it from the environment, or leave it out.`,
    );
  const value = filledIn(secret, 'secret', environment);
  // The message must not repeat the secret.
  if (!SECRET.test(value))
    throw new InvalidInput(
      'secret',
      `The secret in ${secret} must be ${WEBHOOK_SECRET_PREFIX} and 24 to 64 bytes in base64.`,
    );
  return value;
}
