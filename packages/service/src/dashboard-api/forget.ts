import type { ForgetAnswer } from '@postern/contract/dashboard';
import { InvalidInput } from '../administration/administration.ts';
import { forgetPerson } from '../administration/forget-person.ts';
import { type DashboardHandlers, ok } from '../operations/operation.ts';

/** Only counts unless `erase` is set, like the command, because erasing cannot be undone. */
export const forgetRoutes = {
  'POST /projects/:id/forget': async (call) => {
    const { email, fingerprintHash, erase = false } = call.fields();
    for (const [name, value] of Object.entries({ email, fingerprintHash })) {
      if (value !== undefined && typeof value !== 'string')
        throw new InvalidInput(name, `${name} must be a string.`);
    }
    if (typeof erase !== 'boolean') throw new InvalidInput('erase', 'erase must be true or false.');
    const person = { email, fingerprintHash };
    const { listedIn, ...rows } = await forgetPerson(call.admin, call.params.id, person, !erase);
    return ok({ ...rows, listedIn: [...listedIn], erased: erase } satisfies ForgetAnswer);
  },
} satisfies Partial<DashboardHandlers>;
