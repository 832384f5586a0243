import type { TestProject, TestService } from '../../../service/test/support/service.ts';
import { startService } from '../../../service/test/support/service.ts';
import { patient } from '../../../service/test/support/until-counted.ts';
import { OWNER, PASSWORD } from './dashboard-page.ts';
import { LIVELY_MAIL, seedHistory } from './lively-project.ts';

export interface Workspace {
  readonly service: TestService;
  readonly lively: TestProject;
  readonly quiet: TestProject;
}

/** A service with an owner, a project with weeks of sign-ups, and an unused one. */
export async function startWorkspace(days: number, perDay: number): Promise<Workspace> {
  const service = await startService({ zone: LIVELY_MAIL });
  try {
    const { createAccount } = await import('../../../service/dist/operations/accounts.js');
    await service.admin((admin) => createAccount(admin, { ...OWNER, password: PASSWORD }, 'owner'));
    const lively = patient(
      await service.makeProject({
        id: 'acme-web',
        name: 'Acme web',
        plan: 'pro',
        quotaLimit: 5_000,
        rateServer: 20_000,
        allowedDomains: ['app.acme.example', '*.acme.example', 'localhost:*'],
      }),
    );
    const quiet = patient(
      await service.makeProject({
        id: 'acme-mobile',
        name: 'Acme mobile',
        allowedDomains: ['app://com.acme.shop'],
      }),
    );
    await seedHistory(service, lively, days, perDay);
    return { service, lively, quiet };
  } catch (error) {
    await service.close();
    throw error;
  }
}
