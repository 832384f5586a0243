import { DAY_MS } from '@postern/contract';
import type { KeyView, OnboardingStep, OnboardingView } from '@postern/contract/dashboard';
import { findProject } from './change-project.ts';
import { listKeys } from './keys.ts';
import { type DashboardCall, type DashboardHandlers, ok } from './operation.ts';

/** The steps from a new project to a form that is protected. */
export const onboardingRoutes = {
  'GET /projects/:id/onboarding': async (call) => ok(await onboarding(call)),
} satisfies Partial<DashboardHandlers>;

/** A pattern for pages on the developer’s own machine. */
const LOCAL = /^(https?:\/\/)?(localhost|127\.0\.0\.1|\[::1\])(:|$)/;

async function onboarding(call: DashboardCall<'id'>): Promise<OnboardingView> {
  const { admin } = call;
  const project = await findProject(admin, call.params.id);
  const [keys, { rows }, verifies, missing] = await Promise.all([
    listKeys(admin, project.id),
    admin.store.log.page(project.id, { mode: 'live' }, 1, null),
    admin.store.projects.hasReached(project.id, 'verdict-keys'),
    admin.store.projects.missingForms(project.id),
  ]);
  const live = keys.filter(({ mode, status }) => mode === 'live' && status === 'active');
  const wasUsed = (type: 'client' | 'server') =>
    keys.some((key) => key.type === type && key.mode === 'live' && key.lastUsedAt !== null);
  const done: Record<OnboardingStep, boolean> = {
    project: true,
    key: live.some(({ type }) => type === 'client'),
    origin: project.allowedDomains.some((pattern) => !LOCAL.test(pattern)),
    snippet: wasUsed('client'),
    validation: rows.length > 0,
    verdict: verifies || wasUsed('server'),
  };
  // A key’s use is noted once a minute; the newest sign-up is known exactly.
  const usedAt = ({ id, lastUsedAt }: KeyView) =>
    Math.max(lastUsedAt ?? 0, rows[0]?.keyId === id ? rows[0].at : 0);
  // A site may load the script on pages without a form too. Where sign-ups come every day, the form is there.
  const noForm = missing.flatMap((report) => {
    const key = keys.find(({ id, status }) => id === report.keyId && status === 'active');
    return key === undefined || report.at - usedAt(key) < DAY_MS
      ? []
      : [{ ...report, name: key.name || key.hint }];
  });
  return { noForm, steps: (Object.keys(done) as OnboardingStep[]).map((id) => ({ id, done: done[id] })) };
}
