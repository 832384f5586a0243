import { type ClaimReason, DAY_MS } from '@postern/contract';
import type { EmailAddress } from '../model/email-address.ts';
import type { Inbox } from '../model/inbox.ts';
import { namesOfInbox } from '../model/inbox-names.ts';
import type { KeyedHash } from '../model/keyed-hash.ts';
import type { Project } from '../model/project.ts';
import type { Store } from '../store/store.ts';
import type { Traits } from '../store/submission.ts';
import type { ClaimRow, HandleRow } from '../store/tables/claim-table.ts';
import { timedIds } from '../store/timed-id.ts';
import type { ReadClaim } from './read-claim.ts';

export interface ClaimParts {
  readonly store: Pick<Store, 'claims' | 'memory' | 'campaigns'>;
  readonly keyedHash: KeyedHash;
  readonly now: () => number;
}

/** A claim as the store sees it: nothing names a person. */
export interface Claimed {
  readonly claim: string;
  /** What the claim would hold, and the reason that each gives when another person holds it. */
  readonly handles: ReadonlyMap<string, ClaimReason>;
  /** The handle of the claimant, who gets their own grant again. */
  readonly own: string | undefined;
  readonly inbox: string;
  readonly maskedAddress: string;
  readonly claimant: string | null;
  readonly keyHash: string | null;
  readonly dryRun: boolean;
  /** When members marked the person’s campaign as bad, if the project refuses its people. */
  readonly campaignBadAt?: number | undefined;
}

interface ClaimAnswer {
  readonly granted: boolean;
  readonly id: string;
  readonly because: readonly ClaimReason[];
  readonly since: number;
}

/** Whether a device is common depends on the people who had it, not on who asks. */
const NO_TRAITS: Traits = {
  domain: null,
  mailHost: null,
  sharesNetwork: false,
  mail: 'unknown',
  browser: 'other',
  hosting: false,
  institution: false,
};

/** What a project’s hashes of a claim are. Another project has others, so that they cannot be compared. */
export async function claimedBy(
  { store, keyedHash, now }: ClaimParts,
  project: Project,
  read: ReadClaim,
  person: {
    readonly address: EmailAddress;
    readonly inbox: Inbox;
    readonly masked: string;
    readonly keyHash: string | null;
  },
): Promise<Claimed> {
  const handles = new Map<string, ClaimReason>();
  for (const name of namesOfInbox(person.address, person.inbox))
    handles.set(`inbox:${keyedHash('inbox', name)}`, 'inbox');
  for (const { kind, value } of read.traces)
    handles.set(`trace:${kind}:${keyedHash('trace', `${project.id}:${kind}:${value}`)}`, `trace:${kind}`);
  const inbox = keyedHash('inbox', person.inbox.canonical);
  if (read.fingerprintHash !== undefined) {
    const device = keyedHash('device', read.fingerprintHash);
    const sighting = { inboxHash: inbox, spellingHash: inbox, deviceHash: device, networkHash: null };
    const rest = { keyType: 'server', mistyped: 0, now: Math.floor(now()), traits: NO_TRAITS } as const;
    const { device: known } = await store.memory.recall(project, { ...sighting, ...rest });
    // Many strangers have a common device, so it says nothing about one of them.
    if (known?.common !== true) handles.set(`device:${device}`, 'device');
  }
  const claimant =
    read.claimant === undefined ? null : keyedHash('claimant', `${project.id}:${read.claimant}`);
  return {
    claim: read.claim,
    handles,
    own: claimant === null ? undefined : `claimant:${claimant}`,
    inbox,
    maskedAddress: person.masked,
    claimant,
    keyHash: person.keyHash,
    dryRun: read.dryRun,
    campaignBadAt:
      project.policy.claimCampaigns === 'refuse' ? await store.campaigns.badAt(project.id, inbox) : undefined,
  };
}

/** What holders mean for a claim: not held, the claimant’s own again, or another person’s. */
export function decideClaim(
  { handles, own, campaignBadAt }: Pick<Claimed, 'handles' | 'own' | 'campaignBadAt'>,
  holders: readonly HandleRow[],
): { readonly result: 'free' } | ({ readonly result: 'own' | 'taken' } & Omit<ClaimAnswer, 'granted'>) {
  const again = holders.find(({ handle }) => handle === own);
  if (again !== undefined) return { result: 'own', id: again.claimId, because: [], since: again.at };
  const taken = holders.filter(({ handle }) => handles.has(handle));
  const [first] = taken.toSorted((one, other) => one.at - other.at);
  if (first === undefined)
    return campaignBadAt === undefined
      ? { result: 'free' }
      : { result: 'taken', id: '', because: ['campaign'], since: campaignBadAt };
  const because = new Set(taken.flatMap(({ handle }) => handles.get(handle) ?? []));
  return { result: 'taken', id: '', because: [...because].sort(), since: first.at };
}

const newId = timedIds();
/** A caller who loses a race is refused at the next look, unless the winner gave it back at once. */
const MOST_ATTEMPTS = 5;

type ClaimingProject = Pick<Project, 'id' | 'claimRetentionDays'>;
export type TakeClaim = (project: ClaimingProject, claimed: Claimed) => Promise<ClaimAnswer>;

/**
 * Takes the claim, if it is not held. Of any number at once, on any number of processes, exactly one is granted: the
 * store decides that. Within a process one person’s claims take turns, so that those who lose do not all try to write.
 */
export function createTakeClaim(parts: ClaimParts): TakeClaim {
  const turns = new Map<string, Promise<unknown>>();
  return async (project, claimed) => {
    const person = `${project.id} ${claimed.inbox}`;
    const turn = (turns.get(person) ?? Promise.resolve())
      .catch(() => {})
      .then(() => decideInStore(parts, project, claimed))
      .finally(() => {
        if (turns.get(person) === turn) turns.delete(person);
      });
    turns.set(person, turn);
    const { answer, refused } = await turn;
    if (refused !== undefined) await parts.store.claims.refuse(refused);
    return answer;
  };
}

interface Decided {
  readonly answer: ClaimAnswer;
  /** A refusal that is to be kept. */
  readonly refused?: ClaimRow;
}

async function decideInStore(
  { store, now }: ClaimParts,
  { id: projectId, claimRetentionDays }: ClaimingProject,
  claimed: Claimed,
): Promise<Decided> {
  const { claim, inbox, maskedAddress, claimant, keyHash, dryRun } = claimed;
  const at = Math.floor(now());
  const expiredBefore = at - claimRetentionDays * DAY_MS;
  const handles = [...claimed.handles.keys(), ...(claimed.own === undefined ? [] : [claimed.own])];
  const person = { projectId, claim, at, inbox, maskedAddress, claimant, keyHash, releasedAt: null };
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const earlier = keyHash === null ? undefined : await store.claims.byKey(projectId, keyHash);
    if (earlier !== undefined && earlier.at >= expiredBefore) return { answer: answerOf(earlier) };
    const holders = await store.claims.holders(projectId, claim, handles, expiredBefore);
    const decision = decideClaim(claimed, holders);
    if (decision.result === 'own') return { answer: { granted: true, ...decision } };
    const row = { ...person, id: dryRun ? '' : `claim_${newId(at)}` };
    if (decision.result === 'taken') {
      const refused: ClaimRow = { ...row, granted: 0, because: decision.because, since: decision.since };
      return { answer: answerOf(refused), ...(!dryRun && { refused }) };
    }
    const granted: ClaimRow = { ...row, granted: 1, because: [], since: at };
    if (dryRun || (await store.claims.grant(granted, handles, expiredBefore)))
      return { answer: answerOf(granted) };
  }
  throw new Error('The claim changed hands during each attempt');
}

function answerOf({ granted, id, because, since }: ClaimRow): ClaimAnswer {
  return { granted: granted === 1, id, because, since };
}
