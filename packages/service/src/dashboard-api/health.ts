import type { HealthView } from '@postern/contract/dashboard';
import { type DashboardRoute, ok } from './route.ts';

interface ComponentHealth {
  readonly status: 'ok' | 'degraded' | 'down';
  readonly message?: string;
  readonly [fact: string]: unknown;
}

export interface HealthRouteParts {
  readonly version: string;
  readonly health: () => Promise<{
    readonly status: HealthView['status'];
    readonly parts: Readonly<Record<string, ComponentHealth>>;
  }>;
}

export function healthRoutes({ version, health }: HealthRouteParts): DashboardRoute[] {
  return [
    {
      method: 'GET',
      path: '/health',
      access: 'member',
      run: async () => {
        const { status, parts } = await health();
        const view: HealthView = {
          status,
          version,
          parts: Object.entries(parts).map(([name, part]) => partView(name, part)),
          feeds: (parts.feeds?.sources ?? []) as HealthView['feeds'],
        };
        return ok(view);
      },
    },
  ];
}

function partView(name: string, part: ComponentHealth): HealthView['parts'][number] {
  const { status, message = null, sources: _sources, ...facts } = part;
  return { name, status, message, facts };
}
