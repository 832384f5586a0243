import type { StepUpVendorView } from '@postern/contract/dashboard';
import { sealAnswer } from '../record/sealed-answer.ts';
import { vendorSeal } from '../step-up/vendor.ts';
import { hashSecret } from '../store/tables/instance-table.ts';
import { InvalidInput } from './administration.ts';
import { asksFor, findProject } from './change-project.ts';
import { type DashboardHandlers, NO_CONTENT, ok } from './operation.ts';

const NONE: StepUpVendorView = { vendor: null, siteKey: '', away: 'flag' };

/** The account at a CAPTCHA vendor. Nothing shows its secret again. */
export const stepUpVendorOperations = {
  'GET /projects/:id/step-up-vendor': async ({ admin, params }) => {
    await findProject(admin, params.id);
    const row = await admin.store.challenges.vendor(params.id);
    return ok(row === undefined ? NONE : { vendor: row.vendor, siteKey: row.siteKey, away: row.away });
  },
  'POST /projects/:id/step-up-vendor': async ({ admin, params: { id }, body }) => {
    await findProject(admin, id);
    const { vendor, siteKey, secret, away = 'flag' } = body;
    const before = await admin.store.challenges.vendor(id);
    if (secret === undefined && before?.vendor !== vendor)
      throw new InvalidInput('secret', 'Give the secret of the account at this vendor.');
    const sealed =
      secret === undefined
        ? (before?.sealed ?? '')
        : sealAnswer(secret, vendorSeal(await hashSecret(admin.store.instance), id), (size) =>
            Buffer.from(admin.randomBytes(size)),
          );
    const row = { projectId: id, vendor, siteKey, sealed, away };
    const detail = { vendor, siteKey, away };
    return {
      write: [admin.store.challenges.vendorChange(row)],
      note: [{ action: 'step-up.vendor', project: id, detail }],
      answer: ok(detail),
    };
  },
  'DELETE /projects/:id/step-up-vendor': async ({ admin, params: { id } }) => {
    if (asksFor(await findProject(admin, id), 'vendor'))
      throw new InvalidInput(
        'stepUp',
        'Flags ask for it. Choose something else in the policy and its rules first.',
      );
    return {
      write: [admin.store.challenges.vendorRemoval(id)],
      note: [{ action: 'step-up.vendor', project: id, detail: { vendor: null } }],
      answer: NO_CONTENT,
    };
  },
} satisfies Partial<DashboardHandlers>;
