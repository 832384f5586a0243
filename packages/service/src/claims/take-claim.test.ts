import type { ClaimReason } from '@postern/contract';
import { expect, it } from 'vitest';
import { decideClaim } from './take-claim.ts';

const holder = (handle: string, at: number) => ({
  ...{ projectId: 'p', claim: 'trial', handle, claimId: `of ${handle}`, inbox: 'i', at },
});
const asked = {
  handles: new Map<string, ClaimReason>([
    ['inbox:1', 'inbox'],
    ['trace:card:2', 'trace:card'],
  ]),
  own: 'claimant:me',
};

it('is free if nobody holds anything of it', () => {
  expect(decideClaim(asked, [])).toEqual({ result: 'free' });
});

it('names each reason once, and the oldest grant', () => {
  const decision = decideClaim(asked, [holder('trace:card:2', 7), holder('inbox:1', 5)]);
  expect(decision).toEqual({ result: 'taken', id: '', because: ['inbox', 'trace:card'], since: 5 });
});

it('a claimant’s own grant comes first, whoever else holds something of it', () => {
  const decision = decideClaim(asked, [holder('inbox:1', 5), holder('claimant:me', 7)]);
  expect(decision).toEqual({ result: 'own', id: 'of claimant:me', because: [], since: 7 });
});
