import type { TestProject, TestService } from '../../../service/test/support/service.ts';

const HOUR_MS = 3_600_000;

/** The event that surge detection writes. */
export function seedSurge(service: TestService, project: TestProject): Promise<unknown> {
  const names = (...all: string[]) => all.map((name, index) => ({ name, count: 40 - index }));
  return service.admin(({ store }) =>
    store.events.add({
      projectId: project.id,
      id: 'surge.detected-block-1',
      type: 'surge.detected',
      at: Date.now() - HOUR_MS,
      logId: null,
      data: {
        kind: 'block',
        count: 61,
        usual: 2,
        since: new Date(Date.now() - HOUR_MS).toISOString(),
        domains: [...names('burner.example'), { name: 'gmail.com', count: 20, mailProvider: true }],
        networks: names('198.51.100.0/24'),
        signals: names('disposable_email'),
        message: '61 sign-ups were blocked this hour; the usual number is 2.',
      },
    }),
  );
}
