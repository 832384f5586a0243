import { type CheckName, DEFAULT_ACTIONS, type Recommendation, type Signal } from '@postern/contract';
import { defaultValues, PROJECT_FIELDS } from '@postern/contract/project-fields';
import type { ApiKey } from '../../src/model/api-key.ts';
import { NO_FACTS } from '../../src/model/facts-for-rules.ts';
import { DEFAULT_POLICY, type Project, type ProjectPolicy } from '../../src/model/project.ts';
import type { AdministeredStore } from '../../src/store/administered-store.ts';
import type { Settlement, Store, Submission, ValidationRecord } from '../../src/store/store.ts';
import type { Traits } from '../../src/store/submission.ts';
import type { ProjectChange } from '../../src/store/tables/project-table.ts';

/** A Sunday in November, on a whole second. */
export const START = Date.UTC(2026, 10, 15, 12, 0, 0);
export const SECOND = 1_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;

/** A database that any number of stores can open. */
export interface TestDatabase {
  open(): Promise<AdministeredStore>;
  remove(): Promise<void>;
}

export interface Caller {
  readonly project: Project;
  readonly key: ApiKey;
}

let lastNumber = 0;
export function unique(prefix: string): string {
  lastNumber += 1;
  return `${prefix}-${lastNumber}`;
}

interface CallerTraits {
  readonly type?: 'client' | 'server';
  readonly mode?: 'live' | 'test';
  readonly policy?: Partial<ProjectPolicy>;
  readonly project?: Partial<Pick<Project, 'retentionDays' | 'rules' | 'namedLists'>>;
}

export async function makeCaller(store: Store, traits: CallerTraits = {}): Promise<Caller> {
  const project = await makeProject(store, {
    ...{ id: unique('project'), policy: { ...DEFAULT_POLICY, ...traits.policy } },
    ...traits.project,
  });
  return { project, key: await makeKey(store, project, traits) };
}

export async function makeProject(
  store: Store,
  own: Pick<Project, 'id'> & Partial<Project>,
): Promise<Project> {
  const project: Project = {
    ...defaultValues(PROJECT_FIELDS),
    ...{ name: 'A project', allowedDomains: ['example.com'], plan: 'free', namedLists: {}, rules: [] },
    ...{ policy: DEFAULT_POLICY, createdAt: START, archivedAt: null, version: 1 },
    ...own,
  };
  const { policy, rules } = project;
  const saved = { at: START, actor: 'service', reason: null, policy, rules };
  await store.commit(store.projects.creation(project, saved), []);
  return project;
}

/** Changes the project as it is now. */
export async function updateProject(
  { projects, commit }: Pick<Store, 'projects' | 'commit'>,
  id: string,
  change: ProjectChange,
): Promise<Project> {
  const project = await projects.find(id);
  if (project === undefined) throw new Error(`There is no project ${id}`);
  await commit(projects.change(project, change), []);
  return (await projects.find(id)) ?? project;
}

export async function makeKey(
  store: Store,
  project: Pick<Project, 'id'>,
  traits: { type?: 'client' | 'server'; mode?: 'live' | 'test' } = {},
): Promise<ApiKey> {
  const id = unique('key');
  const key = {
    id,
    projectId: project.id,
    type: traits.type ?? 'server',
    mode: traits.mode ?? 'live',
    name: 'A key',
    hash: `hash-of-${id}`,
    hint: 'ps_live_ab',
    createdAt: START,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    version: 1,
    hook: null,
  } as const;
  await store.commit(store.keys.creation(key), []);
  return key;
}

/** The caller with another policy, which its project has from now on. */
export async function withPolicy(
  store: Store,
  caller: Caller,
  policy: Partial<ProjectPolicy>,
): Promise<Caller> {
  const change = { policy: { ...caller.project.policy, ...policy } };
  return { ...caller, project: await updateProject(store, caller.project.id, change) };
}

/** What the checks find. */
interface Found {
  /** `block`: its domain fails the `disposable` check. `flag`: its network fails the `ip` check. */
  readonly answer?: Recommendation;
  /** The checks that fail, and the signals of the first check. */
  readonly failed?: readonly CheckName[];
  readonly signals?: readonly Signal[];
}

export interface Visit extends Found {
  readonly now?: number;
  readonly inbox?: string;
  readonly spelling?: string;
  readonly device?: string | null;
  readonly network?: string | null;
  /** Whether a client key asks, which is only a claim. */
  readonly isClaim?: boolean;
  readonly mistyped?: number;
  readonly traits?: Partial<Traits>;
  readonly log?: Partial<ValidationRecord['log']> & Found;
  readonly record?: Partial<ValidationRecord>;
}

const FAILED: Readonly<Record<Recommendation, readonly CheckName[]>> = {
  allow: [],
  flag: ['ip'],
  block: ['disposable'],
};

/** Nothing that crowds are counted by. */
const NO_TRAITS: Traits = {
  domain: null,
  mailHost: null,
  sharesNetwork: true,
  mail: 'unknown',
  browser: 'other',
  hosting: false,
  institution: false,
};

export function validationOf(visit: Visit): ValidationRecord {
  const inbox = visit.inbox ?? 'inbox-of-jane';
  const { answer = visit.answer ?? 'allow', ...inLog } = visit.log ?? {};
  const { failed = visit.failed ?? FAILED[answer], signals = visit.signals ?? [], ...log } = inLog;
  return {
    inboxHash: inbox,
    spellingHash: visit.spelling ?? `spelling-of-${inbox}`,
    deviceHash: visit.device ?? null,
    networkHash: visit.network ?? null,
    keyType: visit.isClaim ? 'client' : 'server',
    traits: { ...NO_TRAITS, ...visit.traits },
    mistyped: visit.mistyped ?? 0,
    now: visit.now ?? START,
    found: [
      { check: 'syntax', finding: { result: 'passed', ...(signals.length > 0 && { signals }) } },
      ...(['disposable', 'mx', 'roleEmail', 'alias', 'device', 'ip'] as const)
        .filter(
          (check) => failed.includes(check) || check === 'alias' || (check === 'device' && visit.device),
        )
        .map((check) => ({
          check,
          finding: failed.includes(check)
            ? ({ result: 'failed', error: '' } as const)
            : ({ result: 'passed' } as const),
        })),
    ],
    actions: DEFAULT_ACTIONS,
    listing: null,
    simulatedHistory: null,
    log: {
      requestId: 'request-1',
      maskedAddress: 'j***@example.com',
      domain: 'example.com',
      maskedIp: '192.0.2.0',
      country: null,
      asn: null,
      shape: null,
      sdkVersion: null,
      checksJson: '{"syntax":[1,0.01]}',
      facts: NO_FACTS,
      latencyMs: 1.25,
      ran: 'syntax',
      domainClass: 'business',
      ...log,
    },
    idempotency: null,
    ...visit.record,
  };
}

export function submissionOf(
  { project, key }: Caller,
  visit: Visit = {},
  traits: Partial<Submission> = {},
): Submission {
  const now = visit.now ?? START;
  return {
    projectId: project.id,
    keyId: key.id,
    projectVersion: project.version,
    keyVersion: key.version,
    keyType: key.type,
    mode: key.mode,
    now,
    rateLimit: 1_000_000,
    visitors: [],
    countRate: true,
    quotaLimit: 1_000_000,
    month: new Date(now).toISOString().slice(0, 7),
    validation: validationOf(visit),
    ...traits,
  };
}

type Admitted = Extract<Settlement, { result: 'admitted' }>;

export function admitted(settlement: Settlement): Admitted {
  if (settlement.result !== 'admitted') throw new Error(`The request was ${settlement.result}`);
  return settlement;
}

/** Settles a request that must be admitted and returns the device’s history. */
export async function seeDevice(store: Store, caller: Caller, visit: Visit & { readonly device: string }) {
  const { validated } = admitted(await store.settle(submissionOf(caller, visit)));
  if (!validated?.history.device) throw new Error('There is no history of the device');
  return validated.history.device;
}

/** Settles a request that must be admitted and returns its history. */
export async function historyOf(store: Store, caller: Caller, visit: Visit) {
  return admitted(await store.settle(submissionOf(caller, visit))).validated?.history;
}

export function tally(settlements: readonly Settlement[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { result } of settlements) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}

/** What the audit log says of a project that a test deletes. */
export const NOTED = { at: START, actor: 'cli', action: 'project.delete', projectId: null, detail: {} };
