import {
  ACTIONS,
  type Action,
  CHECK_NAMES,
  type CheckActions,
  type CheckName,
  MESSAGE_TONES,
} from '@postern/contract';
import { type OriginPattern, parseOriginPattern } from '../model/origin-pattern.ts';
import { CLIENT_OVERRIDES, type ListEntry, type ProjectPolicy } from '../model/project.ts';
import { wildcardReach } from '../model/wildcard-scope.ts';
import type { ProjectChange } from '../store/store.ts';
import { InvalidInput, quoted, readLine } from './administration.ts';
import { readListEntries } from './list-entry.ts';

const MAX_NAME_LENGTH = 100;
const MAX_DOMAINS = 500;
/** The widest whole number that both back ends and JSON keep exactly, and nobody needs. */
const MAX_COUNT = 1_000_000_000_000;
const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** The fields of a project that a person sets. An absent field stays as it is, or starts with its default. */
export interface ProjectFields {
  readonly name?: string | undefined;
  readonly allowedDomains?: readonly string[] | undefined;
  readonly plan?: string | undefined;
  /** `null`: the plan’s limit. */
  readonly quotaLimit?: number | null | undefined;
  readonly rateClient?: number | undefined;
  readonly rateServer?: number | undefined;
  readonly retentionDays?: number | undefined;
  readonly policy?: PolicyFields | undefined;
  readonly allowList?: readonly ListEntry[] | undefined;
  readonly blockList?: readonly ListEntry[] | undefined;
}

export interface PolicyFields extends Partial<Omit<ProjectPolicy, 'actions'>> {
  /** Changes the named checks only; `off`: the check does not run. */
  readonly actions?: Readonly<Partial<Record<CheckName, Action | 'off'>>> | undefined;
}

const POLICY_FIELDS: readonly (keyof ProjectPolicy)[] = [
  'actions',
  'clientOverrides',
  'relays',
  'deviceThreshold',
  'deviceCommonNetworks',
  'messageTone',
];

export function readProjectId(id: string): string {
  if (typeof id !== 'string' || !ID.test(id)) {
    throw new InvalidInput(
      'id',
      `${quoted(id)} is not a project ID. Use 1 to 64 letters, digits, - and _, with a letter or digit first.`,
    );
  }
  return id;
}

/** The fields in the form that the store keeps, or the first fault. Values may come straight from JSON. */
export function readProjectFields(
  fields: ProjectFields,
  plans: ReadonlyMap<string, number>,
  policy: ProjectPolicy,
): ProjectChange {
  return present({
    name: read(fields.name, readName),
    allowedDomains: read(fields.allowedDomains, readAllowedDomains),
    plan: read(fields.plan, (plan) => oneOf('plan', plan, [...plans.keys()])),
    quotaLimit: read(fields.quotaLimit, (limit) => (limit === null ? null : wholeNumber('quota', limit, 0))),
    rateClient: read(fields.rateClient, (limit) => wholeNumber('rateClient', limit, 0)),
    rateServer: read(fields.rateServer, (limit) => wholeNumber('rateServer', limit, 0)),
    retentionDays: read(fields.retentionDays, (days) => wholeNumber('retentionDays', days, 1, 3650)),
    policy: read(fields.policy, (change) => readPolicy(change, policy)),
    allowList: read(fields.allowList, (entries) => readListEntries('allowList', entries)),
    blockList: read(fields.blockList, (entries) => readListEntries('blockList', entries)),
  });
}

function readName(name: string): string {
  const read = readLine(name, MAX_NAME_LENGTH);
  if (read === undefined) {
    throw new InvalidInput('name', `A project’s name has 1 to ${MAX_NAME_LENGTH} characters.`);
  }
  return read;
}

function readAllowedDomains(patterns: readonly string[]): string[] {
  if (!Array.isArray(patterns)) throw new InvalidInput('allowedDomains', 'allowedDomains must be a list.');
  const read = new Map<string, string>();
  for (const pattern of patterns) {
    const parsed = typeof pattern === 'string' ? parseOriginPattern(pattern) : undefined;
    if (parsed === undefined) {
      throw new InvalidInput(
        'allowedDomains',
        `${quoted(pattern)} is not an allowed-domain pattern. ` +
          'Use example.com, *.example.com, localhost:3000, localhost:*, app://com.example.app, ' +
          'or https://example.com to pin the scheme; no path.',
      );
    }
    if (wildcardReach(parsed) === 'anybody') throw new InvalidInput('allowedDomains', tooWide(parsed));
    // Kept as it was written, once for each thing it means.
    if (!read.has(parsed.text)) read.set(parsed.text, pattern.trim());
  }
  if (read.size > MAX_DOMAINS) {
    throw new InvalidInput('allowedDomains', `A project has at most ${MAX_DOMAINS} allowed domains.`);
  }
  return [...read.values()];
}

/** Why a star right under a public suffix is refused. */
export function tooWide({ text, host }: OriginPattern): string {
  return `${text} would let in everybody who registers a name under ${host}. Name your own domain: *.example.${host}.`;
}

/** What a person should know about a pattern that is taken all the same. */
export function patternWarning(text: string): string | undefined {
  const pattern = parseOriginPattern(text);
  if (pattern === undefined || wildcardReach(pattern) !== 'customers') return undefined;
  return `${pattern.text} lets in the pages of everybody who has a name under ${pattern.host}. Name your own hosts if you can.`;
}

function readPolicy(change: PolicyFields, current: ProjectPolicy): ProjectPolicy {
  refuseUnlessObject('policy', change);
  // A misspelt threshold that is taken and changes nothing would be found out much later.
  for (const name of Object.keys(change)) oneOf('policy', name, POLICY_FIELDS);
  return {
    ...current,
    ...present({
      actions: read(change.actions, (actions) => readActions(actions, current.actions)),
      clientOverrides: read(change.clientOverrides, (mode) =>
        oneOf('clientOverrides', mode, CLIENT_OVERRIDES),
      ),
      relays: read(change.relays, (relays) => oneOf('relays', relays, ['pass', 'fail'] as const)),
      deviceThreshold: read(change.deviceThreshold, (count) =>
        wholeNumber('deviceThreshold', count, 1, 1000),
      ),
      deviceCommonNetworks: read(change.deviceCommonNetworks, (count) =>
        wholeNumber('deviceCommonNetworks', count, 2, 10_000),
      ),
      messageTone: read(change.messageTone, (tone) => oneOf('messageTone', tone, MESSAGE_TONES)),
    }),
  };
}

function readActions(change: NonNullable<PolicyFields['actions']>, current: CheckActions): CheckActions {
  refuseUnlessObject('actions', change);
  const actions: CheckActions = { ...current };
  for (const [name, action] of Object.entries(change)) {
    const check = oneOf('check', name, CHECK_NAMES);
    const wanted = oneOf(`action of ${check}`, action, [...ACTIONS, 'off'] as const);
    if (wanted === 'off') delete actions[check];
    else actions[check] = wanted;
  }
  return actions;
}

function refuseUnlessObject(field: string, value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidInput(field, `${field} must be an object.`);
}

function wholeNumber(field: string, value: number, min: number, max = MAX_COUNT): number {
  if (!Number.isSafeInteger(value) || value < min || value > max) {
    throw new InvalidInput(field, `${field} must be a whole number from ${min} to ${max}.`);
  }
  return value;
}

function oneOf<const T extends string>(field: string, value: unknown, known: readonly T[]): T {
  const found = known.find((candidate) => candidate === value);
  if (found === undefined) {
    throw new InvalidInput(field, `${field} ${quoted(value)} is not known. Use one of: ${known.join(', ')}.`);
  }
  return found;
}

function read<T, R>(value: T | undefined, reader: (value: T) => R): R | undefined {
  return value === undefined ? undefined : reader(value);
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without the fields that are `undefined`: to the store an absent field means “leave it”. */
function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
}
