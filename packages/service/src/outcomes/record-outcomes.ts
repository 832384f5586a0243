import { type ApiError, fieldInvalid, type ReadOutcome } from '@postern/contract';
import { inboxNames } from '../model/inbox-names.ts';
import type { KeyedHash } from '../model/keyed-hash.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import type { Statement } from '../store/database.ts';
import type { Store } from '../store/store.ts';
import type { ConfirmedPerson } from '../store/tables/outcome-table.ts';
import type { RecordedOutcome } from '../store/tables/write-outcomes.ts';

export interface OutcomeParts {
  readonly store: Pick<Store, 'outcomes'>;
  readonly keyedHash: KeyedHash;
  readonly now: () => number;
  /** Nothing is recorded about a person who was last seen longer ago. */
  readonly outcomeRetentionMs: number;
  /** Stores them together with what the audit log says of them, if it says anything. */
  readonly commit?: (changes: readonly Statement[], recorded: number, unknown: number) => Promise<unknown>;
}

export type RecordedOutcomes =
  /** `unknown` has the positions of the outcomes whose person is not known. */
  | { readonly ok: true; readonly recorded: number; readonly unknown: number[] }
  | { readonly ok: false; readonly error: ApiError };

/**
 * Finds the person behind each outcome and records all of them in one transaction. An address becomes a keyed hash
 * here and is never stored. With `keep: false`, for test keys, it only finds out who is known.
 *
 * A request ID that a backend used for several people names no person, unless there is an address beside it. That must be
 * of one of them.
 */
export async function recordOutcomes(
  { store, keyedHash, now, outcomeRetentionMs, commit }: OutcomeParts,
  projectId: string,
  outcomes: readonly ReadOutcome[],
  keep: boolean,
): Promise<RecordedOutcomes> {
  const inboxes: string[][] = [];
  for (const [index, { email }] of outcomes.entries()) {
    const names = email === undefined ? [] : inboxNames(email);
    if (names === undefined)
      return { ok: false, error: fieldInvalid(`outcomes[${index}].email`, 'must be an email address') };
    inboxes.push(names.map((name) => keyedHash('inbox', name)));
  }
  const seenAtByInbox = await store.outcomes.knownInboxes(projectId, [...new Set(inboxes.flat())]);

  const byRequest = await store.outcomes.inboxesOfRequests(
    projectId,
    outcomes.flatMap(({ requestId }) => requestId ?? []),
  );
  const oldest = now() - outcomeRetentionMs;

  const found: RecordedOutcome[] = [];
  const unknown: number[] = [];
  const confirmed: ConfirmedPerson[] = [];
  for (const [index, { requestId, email, outcome, reason = null, at }] of outcomes.entries()) {
    const byAddress = inboxes[index]?.filter((hash) => seenAtByInbox.has(hash)) ?? [];
    const people = requestId === undefined ? undefined : byRequest.get(requestId);
    const inbox =
      requestId === undefined
        ? byAddress[0]
        : personOf(people, email === undefined ? undefined : inboxes[index]);
    const asked = inbox === undefined ? undefined : people?.get(inbox);
    const seenAt = inbox && Math.max(seenAtByInbox.get(inbox) ?? 0, asked?.at ?? 0);
    if (inbox === undefined || !seenAt || seenAt < oldest) unknown.push(index);
    else {
      found.push({ inbox, outcome, reason, at, seenAt });
      const spelling = email === undefined ? undefined : spellingOf(email, inbox, keyedHash);
      if (outcome === 'accepted')
        confirmed.push({ inbox, spelling, seenBy: asked?.at ?? seenAt, device: asked?.device });
    }
  }
  if (keep) {
    const noting =
      commit && ((changes: readonly Statement[]) => commit(changes, found.length, unknown.length));
    await store.outcomes.record(projectId, found, noting);
    await store.outcomes.confirm(projectId, confirmed);
  }
  return { ok: true, recorded: found.length, unknown };
}

/** Whom the request was about: the one whom the address names, or else the only one. */
function personOf(
  people: ReadonlyMap<string, unknown> | undefined,
  address: readonly string[] | undefined,
): string | undefined {
  const inboxes = [...(people?.keys() ?? [])];
  if (address !== undefined) return inboxes.find((inbox) => address.includes(inbox));
  return inboxes.length === 1 ? inboxes[0] : undefined;
}

/** The hash under which the store has this spelling of the inbox; see `historyQuery`. */
function spellingOf(email: string, inbox: string, keyedHash: KeyedHash): string | undefined {
  const address = parseEmailAddress(email.trim());
  if (address === undefined) return undefined;
  const isOwnName = keyedHash('inbox', address.normalized) === inbox;
  return isOwnName ? inbox : keyedHash('spelling', address.normalized);
}
