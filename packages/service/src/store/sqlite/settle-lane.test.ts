import { describe, expect, it } from 'vitest';
import type { Patience } from '../deadline.ts';
import { StoreUnavailable } from '../store.ts';
import type { SettlementMessage, SubmissionMessage } from '../submission-message.ts';
import { type PackedSubmissions, unpackSubmissions } from './packed-submissions.ts';
import { settleLane } from './settle-lane.ts';

function submissionOf(key: string): SubmissionMessage {
  return {
    project: 'p',
    key,
    projectVersion: 1,
    keyVersion: 1,
    lane: 'server',
    live: 1,
    now: 1_000_000,
    rateLimit: 10,
    countRate: 1,
    quotaLimit: 10,
    month: '2026-11',
    validation: null,
  };
}

const admitted = (total: number): SettlementMessage => ['admitted', total, 0, 0, 0, null];

/** A lane whose answers and whose patience are in the test’s hand. */
function makeLane() {
  const sent: {
    keys: string[];
    answer: (answers: SettlementMessage[]) => void;
    fail: (error: Error) => void;
  }[] = [];
  const late: [string, SettlementMessage][] = [];
  let arrived = () => {};
  const giveUps: (() => void)[] = [];
  const patient: Patience = (giveUp) => {
    giveUps.push(giveUp);
    return () => {};
  };
  const settle = (packed: PackedSubmissions) =>
    new Promise<SettlementMessage[]>((answer, fail) => {
      sent.push({ keys: unpackSubmissions(packed).map(({ key }) => key), answer, fail });
      arrived();
    });
  const lane = settleLane({ settle, patient, late: ({ key }, answer) => late.push([key, answer]) });
  const nextSent = () =>
    new Promise<void>((resolve) => {
      arrived = resolve;
    });
  return { lane, sent, late, nextSent, giveUps };
}

describe('submissions of one turn', () => {
  it('travel together, and each gets its own answer', async () => {
    const { lane, sent, nextSent } = makeLane();
    const settlements = Promise.all(['a', 'b', 'c'].map((key) => lane(submissionOf(key))));
    await nextSent();
    expect(sent.map(({ keys }) => keys)).toEqual([['a', 'b', 'c']]);
    sent[0]?.answer([admitted(1), null, admitted(3)]);
    expect(await settlements).toMatchObject([
      { rate: { remaining: 9 } },
      { outcome: 'stale' },
      { rate: { remaining: 7 } },
    ]);
  });

  it('are all refused when they fail', async () => {
    const { lane, sent, nextSent } = makeLane();
    const settlements = Promise.allSettled(['a', 'b'].map((key) => lane(submissionOf(key))));
    await nextSent();
    sent[0]?.fail(new StoreUnavailable('gone'));
    expect((await settlements).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('are refused each when its own time is over, and the late answer is told', async () => {
    const { lane, sent, late, nextSent, giveUps } = makeLane();
    const settlements = Promise.allSettled(['a', 'b'].map((key) => lane(submissionOf(key))));
    await nextSent();
    giveUps[1]?.();
    sent[0]?.answer([admitted(1), admitted(2)]);
    expect(await settlements).toMatchObject([
      { value: { outcome: 'admitted' } },
      { reason: expect.any(StoreUnavailable) },
    ]);
    expect(late).toEqual([['b', admitted(2)]]);
  });

  it('are sent in parts when there are very many', async () => {
    const { lane, sent, nextSent } = makeLane();
    const settlements = Promise.all(
      Array.from({ length: 600 }, (_, index) => lane(submissionOf(`${index}`))),
    );
    await nextSent();
    await Promise.resolve();
    for (const { keys, answer } of sent) answer(keys.map((key) => admitted(Number(key))));
    expect(sent.length).toBe(2);
    expect(sent.flatMap(({ keys }) => keys)).toEqual(Array.from({ length: 600 }, (_, index) => `${index}`));
    expect(await settlements).toHaveLength(600);
  });
});
