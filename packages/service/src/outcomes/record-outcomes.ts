import { type ApiError, fieldInvalid, type ReadOutcome } from '@postern/contract';
import { inboxNames } from '../model/inbox-names.ts';
import type { KeyedHash } from '../record/keyed-hash.ts';
import type { Store } from '../store/store.ts';
import type { RecordedOutcome } from '../store/tables/write-outcomes.ts';

export interface OutcomeParts {
  readonly store: Pick<Store, 'outcomes' | 'log'>;
  readonly keyedHash: KeyedHash;
}

export type RecordedOutcomes =
  | { readonly ok: true; readonly recorded: number; readonly unknown: number[] }
  | { readonly ok: false; readonly error: ApiError };

/**
 * Finds the person behind each outcome and records all of them in one transaction. An address becomes a keyed hash
 * here and is never stored. With `keep: false`, for test keys, it only finds out who is known.
 */
export async function recordOutcomes(
  { store, keyedHash }: OutcomeParts,
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
  const seenAtOf = await store.outcomes.knownInboxes(projectId, [...new Set(inboxes.flat())]);

  const rows = await store.log.findByRequests(
    projectId,
    outcomes.flatMap(({ requestId }) => requestId ?? []),
  );

  const found: RecordedOutcome[] = [];
  const unknown: number[] = [];
  for (const [index, { requestId = '', outcome, reason = null, at }] of outcomes.entries()) {
    const row = rows.get(requestId);
    const inbox = row?.inboxHash ?? inboxes[index]?.find((hash) => seenAtOf.has(hash));
    if (inbox === undefined) unknown.push(index);
    else found.push({ inbox, outcome, reason, at, seenAt: row?.at ?? seenAtOf.get(inbox) ?? at });
  }
  if (keep) await store.outcomes.record(projectId, found);
  return { ok: true, recorded: found.length, unknown };
}
