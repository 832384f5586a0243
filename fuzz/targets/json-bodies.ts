import { readValidation } from '../../packages/service/src/http/validation-request.ts';
import { createActivityTracker } from '../../packages/service/src/lookup/activity-tracker.ts';
import type { FuzzTarget } from '../target.ts';
import { passingChecks, project, serverKey } from './test-project.ts';

/** A body is read or refused with a 400. Reading it never throws. */
export const jsonBodies: FuzzTarget = {
  name: 'json-bodies',
  words: [
    '"email"',
    '"ip"',
    '"userAgent"',
    '"validations"',
    '"__proto__"',
    '"constructor"',
    '"fingerprintHash"',
    'null',
    'true',
    '1e999',
    '-0',
    '{',
    '}',
    '[',
    ']',
    '\\u0000',
    '\\ud800',
    '"block"',
    '"syntax"',
  ],
  open: async () => ({
    check: (body) => {
      const reader = {
        clientIp: () => undefined,
        checks: passingChecks,
        activity: createActivityTracker(),
        mailRoute: () => ({ status: 'unknown', reason: 'not-asked' }) as const,
      };
      const incoming = { requestId: 'id', peer: '127.0.0.1', header: () => undefined, body };
      const read = readValidation(reader, incoming, { key: serverKey, project } as never, 0);
      if (!read.ok && read.error.status !== 400) throw new Error(`answered ${read.error.status}`);
    },
    close: async () => {},
  }),
};
