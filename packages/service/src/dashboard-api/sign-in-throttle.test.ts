import { expect, it } from 'vitest';
import {
  createAttempts,
  TRIES_PER_ACCOUNT,
  TRIES_PER_ADDRESS,
  TRIES_PER_CONNECTION,
} from './sign-in-throttle.ts';

function attemptsAt(clock: { time: number }) {
  const counts = new Map<string, { count: number; resetsAt: number }>();
  const people = {
    count: async (name: string, windowMs: number, now: number) => {
      const known = counts.get(name);
      const next =
        known && known.resetsAt > now
          ? { ...known, count: known.count + 1 }
          : { count: 1, resetsAt: now + windowMs };
      counts.set(name, next);
      return next;
    },
    forget: async (name: string) => {
      counts.delete(name);
    },
  };
  return createAttempts(people, () => clock.time);
}

it('blocks an address after too many attempts, says how long, and then allows it again', () => {
  const clock = { time: 1_000 };
  const attempts = attemptsAt(clock);
  for (let tries = 0; tries < TRIES_PER_ADDRESS; tries += 1) attempts.fromAddress('192.0.2.1');
  expect(() => attempts.fromAddress('192.0.2.1')).toThrow(/15 minutes/);
  attempts.fromAddress('192.0.2.2');
  clock.time += 15 * 60_000;
  attempts.fromAddress('192.0.2.1');
});

it('blocks a connection that claims a different address each time', () => {
  const attempts = attemptsAt({ time: 0 });
  for (let tries = 0; tries < TRIES_PER_CONNECTION; tries += 1)
    attempts.fromAddress(`192.0.2.${tries}`, '198.51.100.7');
  expect(() => attempts.fromAddress('203.0.113.1', '198.51.100.7')).toThrow(/15 minutes/);
  attempts.fromAddress('203.0.113.1', '198.51.100.8');
});

it('does not block an address without failed guesses', () => {
  const attempts = attemptsAt({ time: 0 });
  for (let tries = 0; tries < 3 * TRIES_PER_ADDRESS; tries += 1) {
    attempts.fromAddress('192.0.2.1');
    attempts.forgiveAddress('192.0.2.1');
  }
});

it('remembers the last ten thousand addresses', () => {
  const attempts = attemptsAt({ time: 0 });
  for (let tries = 0; tries < TRIES_PER_ADDRESS; tries += 1) attempts.fromAddress('192.0.2.1');
  for (let number = 0; number < 9_999; number += 1) attempts.fromAddress(`other ${number}`);
  expect(() => attempts.fromAddress('192.0.2.1')).toThrow('Too many attempts');
});

it('blocks an account for everybody until somebody knows the password', async () => {
  const attempts = attemptsAt({ time: 0 });
  for (let tries = 0; tries < TRIES_PER_ACCOUNT; tries += 1) await attempts.atAccount('jane@example.com');
  await expect(attempts.atAccount('jane@example.com')).rejects.toMatchObject({
    status: 429,
    extra: { retryAfter: 900 },
  });
  await attempts.succeeded('jane@example.com');
  await attempts.atAccount('jane@example.com');
});
