import { describe, expect, it } from 'vitest';
import type { SubmissionMessage, ValidationMessage } from '../submission-message.ts';
import { encodeBatch } from './encode-batch.ts';

const NOW = 1_700_000_000_000;

function validationOf(change: Partial<ValidationMessage> = {}): ValidationMessage {
  return {
    inbox: 'inbox',
    spelling: 'spelling',
    isClaim: 0,
    claimNetwork: null,
    confirmedOnly: 0,
    mistyped: 0,
    device: null,
    network: null,
    threshold: 3,
    commonNetworks: 10,
    flagClaims: 0,
    retentionMs: 1_000,
    recommendations: '00000000111111110000000011111111',
    effects: ['a ', 'b ', 'c ', 'd '],
    rules: [''],
    lists: [''],
    log: ['log', NOW, 'request', 'example.com', null, null, null, null],
    words: ' class:free ',
    details: '{}',
    ...change,
  };
}

function messageOf(change: Partial<SubmissionMessage> = {}): SubmissionMessage {
  return {
    project: 'project',
    key: 'key',
    projectVersion: 1,
    keyVersion: 1,
    lane: 'server',
    live: 1,
    now: NOW,
    rateLimit: 100,
    visitors: [],
    claim: null,
    countRate: 1,
    quotaLimit: 1_000,
    month: '2026-11',
    validation: validationOf(),
    ...change,
  };
}

const sees = (device: string | null, inbox: string) =>
  messageOf({ validation: validationOf({ device, inbox }) });

/** The orders of the requests in each wave. */
const wavesOf = (messages: readonly SubmissionMessage[]) =>
  encodeBatch(messages)
    .wavesText.split('\x1d')
    .map((wave) => wave.split('\x1e').map((request) => Number(request.split('\x1f')[0])));

describe('consecutive requests that are counted the same way', () => {
  it('are one run, whatever they validate', () => {
    const { runs, runsText } = encodeBatch([sees('d1', 'a'), sees('d2', 'b'), sees(null, 'c')]);
    expect(runs.map(({ size }) => size)).toEqual([3]);
    expect(runsText.split('\x1e')).toHaveLength(1);
  });

  it.each<[string, Partial<SubmissionMessage>]>([
    ['another key', { key: 'other' }],
    ['another version of the key', { keyVersion: 2 }],
    ['another version of the project', { projectVersion: 2 }],
    ['another lane', { lane: 'client' }],
    ['a request that was counted before', { countRate: 0 }],
    ['a request that is only counted', { validation: null }],
  ])('end with %s', (_what, change) => {
    const { runs } = encodeBatch([messageOf(), messageOf(change), messageOf(), messageOf()]);
    expect(runs.map(({ size }) => size)).toEqual([1, 1, 2]);
  });

  it('name their lane, and each lane its limit once', () => {
    const client = messageOf({ key: 'c', lane: 'client', rateLimit: 7 });
    const { runs, lanes, rates } = encodeBatch([messageOf(), client, messageOf(), client]);
    expect(runs.map(({ lane }) => lane)).toEqual([0, 1, 0, 1]);
    expect([lanes, rates]).toEqual([
      ['server', 'client'],
      [100, 7],
    ]);
  });
});

describe('a wave', () => {
  it('holds requests of different devices and inboxes', () => {
    expect(wavesOf([sees('d1', 'a'), sees('d2', 'b'), sees(null, 'c'), sees(null, 'd')])).toEqual([
      [0, 1, 2, 3],
    ]);
  });

  it('leaves repeated devices and inboxes to a later wave, in order', () => {
    expect(
      wavesOf([sees('d1', 'a'), sees('d1', 'b'), sees('d2', 'b'), sees('d3', 'c'), sees('d1', 'd')]),
    ).toEqual([[0, 3], [1], [2, 4]]);
  });

  it('is not broken by a separator in a text', () => {
    const odd = validationOf({ words: ' a\x1db\x1ec\x1fd ', details: '{"x":"\x1f\x1c"}' });
    const { wavesText } = encodeBatch([messageOf({ validation: odd })]);
    expect(wavesText.split('\x1d')).toHaveLength(1);
    expect(wavesText.split('\x1e')).toHaveLength(1);
    expect(wavesText.split('\x1f').slice(-6, -4)).toEqual([' a b c d ', '{"x":"  "}']);
  });

  it('is empty if nothing is validated', () => {
    expect(encodeBatch([messageOf({ validation: null })]).wavesText).toBe('');
  });
});

it('a batch has the time of its latest request', () => {
  expect(encodeBatch([messageOf(), messageOf({ now: NOW + 9 }), messageOf({ now: NOW + 3 })]).now).toBe(
    NOW + 9,
  );
});
