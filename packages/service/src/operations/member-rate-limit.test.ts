import { expect, it } from 'vitest';
import { createMemberRateLimit } from './member-rate-limit.ts';

it('allows each member a fixed number of requests per window, and says when to retry', () => {
  const clock = { time: 0 };
  const limitMember = createMemberRateLimit(3, 60_000, () => clock.time);
  for (let asked = 0; asked < 3; asked += 1) limitMember('jane');
  clock.time = 20_000;
  expect(() => limitMember('jane')).toThrow(
    expect.objectContaining({ status: 429, extra: { retryAfter: 40 } }),
  );
  limitMember('john');
  clock.time = 60_000;
  limitMember('jane');
});
