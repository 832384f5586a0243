import type { TestProject, TestService } from '../../../service/test/support/service.ts';

const HOUR_MS = 3_600_000;

/** The incident and the event that surge detection writes. */
export function seedSurge(service: TestService, project: TestProject): Promise<unknown> {
  const names = (...all: string[]) => all.map((name, index) => ({ name, count: 40 - index }));
  const at = Date.now() - 60_000;
  return service.admin(async ({ store }) => {
    const incident = await store.incidents.join(project.id, at, at - HOUR_MS);
    return store.events.add({
      projectId: project.id,
      id: 'surge.detected-block-1',
      type: 'surge.detected',
      at,
      logId: null,
      data: {
        incident: incident.id,
        kind: 'block',
        count: 61,
        usual: 2,
        since: new Date(Date.now() - HOUR_MS).toISOString(),
        domains: [...names('burner.example'), { name: 'gmail.com', count: 20, mailProvider: true }],
        networks: [...names('198.51.100.0/24'), { name: '192.0.2.0/24', count: 2 }],
        signals: names('disposable_email'),
        message: '61 sign-ups were blocked this hour; the usual number is 2.',
      },
    });
  });
}
