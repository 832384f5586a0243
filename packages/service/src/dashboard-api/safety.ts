import type { SafetyView } from '@postern/contract/dashboard';
import { findProject } from '../administration/projects.ts';
import { type ExposureSettings, readSafetyChecklist } from '../administration/safety-checklist.ts';
import type { HealthRouteParts } from './health.ts';
import { type DashboardRoute, ok, param } from './route.ts';

export interface SafetyParts extends Pick<HealthRouteParts, 'health'> {
  readonly settings: ExposureSettings;
}

export function safetyRoutes({ settings, health }: SafetyParts): DashboardRoute[] {
  return [
    {
      method: 'GET',
      path: '/projects/:id/safety',
      access: 'viewer',
      run: async (call) => {
        const { id } = await findProject(call.admin, param(call, 'id'));
        const { parts } = await health();
        const cfHeaderForged = parts.clientAddress !== undefined;
        const view: SafetyView = {
          items: await readSafetyChecklist(call.admin, { settings, cfHeaderForged, projectId: id }),
        };
        return ok(view);
      },
    },
  ];
}
