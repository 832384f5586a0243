import { BoundedMap } from '../model/bounded-map.ts';
import { Refused } from './operation.ts';

/** Throws Refused with 429 if the member has made too many requests within the window. */
export type MemberRateLimit = (memberId: string) => void;

const MINUTE_MS = 60_000;
const MAX_MEMBERS = 1_000;

/** Counted in this process’s memory, because it limits work and does not protect a secret. */
export function createMemberRateLimit(most: number, windowMs: number, now: () => number): MemberRateLimit {
  const members = new BoundedMap<string, { count: number; resetsAt: number }>(MAX_MEMBERS);
  return (memberId) => {
    const time = now();
    const current = members.get(memberId);
    const seen =
      current !== undefined && current.resetsAt > time ? current : { count: 0, resetsAt: time + windowMs };
    if (seen.count >= most) {
      const retryAfter = Math.max(1, Math.ceil((seen.resetsAt - time) / 1000));
      throw new Refused(
        429,
        `You have run ${most} checks in the dashboard within ${windowMs / MINUTE_MS} minutes. For more, use a key; a test key uses no quota.`,
        { retryAfter },
      );
    }
    seen.count += 1;
    members.set(memberId, seen);
  };
}
