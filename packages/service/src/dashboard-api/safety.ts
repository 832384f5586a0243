import type { SafetyView } from '@postern/contract/dashboard';
import { findProject } from '../administration/projects.ts';
import { type ExposureSettings, readSafetyChecklist } from '../administration/safety-checklist.ts';
import type { HealthRouteParts } from './health.ts';
import { type DashboardHandlers, ok } from './route.ts';

export interface SafetyParts extends Pick<HealthRouteParts, 'health'> {
  readonly settings: ExposureSettings;
}

export function safetyRoutes({ settings, health }: SafetyParts) {
  return {
    'GET /projects/:id/safety': async (call) => {
      const { id } = await findProject(call.admin, call.params.id);
      const { parts } = await health();
      const cfHeaderForged = parts.clientAddress !== undefined;
      const view: SafetyView = {
        items: await readSafetyChecklist(call.admin, { settings, cfHeaderForged, projectId: id }),
      };
      return ok(view);
    },
  } satisfies Partial<DashboardHandlers>;
}
