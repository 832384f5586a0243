import type { Check } from '../check.ts';
import { findRole } from './find-role.ts';

/** Fails local parts that stand for a function, not a person. A name that is also a function’s is a person’s. */
export const roleEmailCheck: Check = {
  inspect({ address }) {
    const role = findRole(address.local);
    if (role === undefined) return { outcome: 'passed' };
    return {
      outcome: 'failed',
      error: 'The address belongs to a function, not to a person',
      signals: ['role_email'],
      metadata: { role },
    };
  },
};
