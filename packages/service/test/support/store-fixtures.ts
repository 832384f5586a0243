import { ACTIONS, DEFAULT_ACTIONS, type Recommendation } from '@postern/contract';
import { defaultValues, PROJECT_FIELDS } from '@postern/contract/project-fields';
import type { ApiKey } from '../../src/model/api-key.ts';
import { NO_FACTS } from '../../src/model/facts-for-rules.ts';
import { HISTORY_STATES } from '../../src/model/history.ts';
import { DEFAULT_POLICY, type Project } from '../../src/model/project.ts';
import type { AdministeredStore } from '../../src/store/administered-store.ts';
import type {
  HistoryEffect,
  Settlement,
  Store,
  Submission,
  ValidationRecord,
} from '../../src/store/store.ts';

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

export async function makeCaller(
  store: Store,
  traits: { type?: 'client' | 'server'; mode?: 'live' | 'test' } = {},
): Promise<Caller> {
  const project = await store.projects.create(
    {
      ...defaultValues(PROJECT_FIELDS),
      id: unique('project'),
      name: 'A project',
      allowedDomains: ['example.com'],
      plan: 'free',
      policy: DEFAULT_POLICY,
      rules: [],
      namedLists: {},
    },
    START,
  );
  return { project, key: await makeKey(store, project, traits) };
}

export function makeKey(
  store: Store,
  project: Project,
  traits: { type?: 'client' | 'server'; mode?: 'live' | 'test' } = {},
): Promise<ApiKey> {
  const id = unique('key');
  return store.keys.create(
    {
      id,
      projectId: project.id,
      type: traits.type ?? 'server',
      mode: traits.mode ?? 'live',
      name: 'A key',
      hash: `hash-of-${id}`,
      hint: 'ps_live_ab',
      expiresAt: null,
    },
    START,
  );
}

export interface Visit {
  readonly now?: number;
  readonly inbox?: string;
  readonly spelling?: string;
  readonly device?: string | null;
  readonly network?: string | null;
  /** Whether a client key claims the spelling; and whether only confirmed spellings count. */
  readonly isClaim?: boolean;
  readonly confirmedOnly?: boolean;
  readonly retentionMs?: number;
  readonly threshold?: number;
  readonly commonNetworks?: number;
  /** Whether what only client keys claimed can at most flag. */
  readonly flagClaims?: boolean;
  readonly mistyped?: number;
  readonly log?: Partial<ValidationRecord['log']>;
}

/** The effect of history on a log record: none, a reused inbox, a device over the threshold, or both. */
export function recommendationsOf(
  alone: Recommendation,
  reused: Recommendation,
  over: Recommendation,
  both: Recommendation,
): string {
  const states = Array.from({ length: HISTORY_STATES }, (_, state) => {
    if ((state & 8) === 0) return (state & 1) === 0 ? alone : reused;
    return (state & 1) === 0 ? over : both;
  });
  return states.map((recommendation) => ACTIONS.indexOf(recommendation)).join('');
}

/** As the alias and device checks have them. */
const EFFECTS: readonly HistoryEffect[] = [
  { failed: ['alias'], signals: ['alias_reuse'] },
  { failed: [], signals: ['device_reuse'] },
  { failed: [], signals: ['device_seen_<N>_times'] },
  { failed: ['device'], signals: [] },
  { failed: [], signals: [] },
];

export function validationOf(visit: Visit): ValidationRecord {
  const inbox = visit.inbox ?? 'inbox-of-jane';
  return {
    inboxHash: inbox,
    spellingHash: visit.spelling ?? `spelling-of-${inbox}`,
    claim: {
      isClaim: visit.isClaim ?? false,
      networkHash: visit.network ?? null,
      confirmedOnly: visit.confirmedOnly ?? false,
    },
    device: visit.device
      ? {
          deviceHash: visit.device,
          networkHash: visit.network ?? null,
          threshold: visit.threshold ?? 3,
          commonNetworks: visit.commonNetworks ?? 10,
          flagClaims: visit.flagClaims ?? false,
          mistyped: visit.mistyped ?? 0,
        }
      : null,
    retentionMs: visit.retentionMs ?? 90 * DAY,
    log: {
      requestId: 'request-1',
      maskedAddress: 'j***@example.com',
      domain: 'example.com',
      maskedIp: '192.0.2.0',
      sdkVersion: null,
      actions: DEFAULT_ACTIONS,
      failed: [],
      signals: [],
      checksJson: '{"syntax":[1,0.01]}',
      recommendations: recommendationsOf('allow', 'flag', 'flag', 'block'),
      rules: [{ live: [], shadow: [] }],
      lists: [[]],
      facts: NO_FACTS,
      effects: EFFECTS,
      latencyMs: 1.25,
      statistics: {
        ran: 'syntax',
        domainClass: 'business',
        country: undefined,
        asn: undefined,
        network: undefined,
      },
      ...visit.log,
    },
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
  const { history } = admitted(await store.settle(submissionOf(caller, visit)));
  if (!history?.device) throw new Error('There is no history of the device');
  return history.device;
}

export function tally(settlements: readonly Settlement[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { result } of settlements) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}
