import type { SafetyView } from '@postern/contract/dashboard';
import { findProject } from '../administration/projects.ts';
import { type DashboardHandlers, ok } from './operation.ts';
import { type ExposureSettings, readSafetyChecklist } from './safety-checklist.ts';

export interface SafetyParts {
  readonly settings: ExposureSettings;
}

export function safetyRoutes({ settings }: SafetyParts) {
  return {
    'GET /projects/:id/safety': async (call) => {
      const { id } = await findProject(call.admin, call.params.id);
      const view: SafetyView = {
        items: await readSafetyChecklist(call.admin, { settings, projectId: id }),
      };
      return ok(view);
    },
  } satisfies Partial<DashboardHandlers>;
}
