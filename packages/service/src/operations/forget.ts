import type { ForgetAnswer } from '@postern/contract/dashboard';
import { forgetPerson } from '../administration/forget-person.ts';
import { type DashboardHandlers, ok } from './operation.ts';

/** Only counts unless `erase` is set, like the command, because erasing cannot be undone. */
export const forgetRoutes = {
  'POST /projects/:id/forget': async (call) => {
    const { email, fingerprintHash, erase = false, keepClaims } = call.body;
    const person = { email, fingerprintHash };
    const { listedIn, ...rows } = await forgetPerson(call.admin, call.params.id, person, {
      dryRun: !erase,
      keepClaims,
    });
    return ok({ ...rows, listedIn: [...listedIn], erased: erase } satisfies ForgetAnswer);
  },
} satisfies Partial<DashboardHandlers>;
