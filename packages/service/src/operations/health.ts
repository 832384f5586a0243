import type { ComponentHealth, HealthView } from '@postern/contract/dashboard';
import { type DashboardHandlers, ok } from './operation.ts';

export interface HealthRouteParts {
  readonly version: string;
  readonly health: () => Promise<{
    readonly status: HealthView['status'];
    readonly parts: Readonly<Record<string, ComponentHealth>>;
  }>;
}

export function healthRoutes({ version, health }: HealthRouteParts) {
  return {
    'GET /health': async () => {
      const { status, parts } = await health();
      const view: HealthView = {
        status,
        version,
        parts: Object.entries(parts).map(([name, part]) => partView(name, part)),
        feeds: (parts.feeds?.sources ?? []) as HealthView['feeds'],
      };
      return ok(view);
    },
  } satisfies Partial<DashboardHandlers>;
}

function partView(name: string, part: ComponentHealth): HealthView['parts'][number] {
  const { status, message = null, sources: _sources, ...facts } = part;
  return { name, status, message, facts };
}
