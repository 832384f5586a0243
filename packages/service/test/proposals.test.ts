import type { RuleProposalsView } from '@postern/contract/dashboard';
import type { Rule } from '@postern/contract/rules';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DashboardClient, member } from './support/dashboard.ts';
import { PLANTED_PEOPLE, plantPeople } from './support/planted-people.ts';
import type { TestProject, TestService } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';

describe.each(USUAL_BACK_ENDS)('proposals on %s', (backEnd) => {
  let service: TestService;
  let admin: DashboardClient;
  let project: TestProject;
  const path = (rest: string) => `/projects/${project.id}${rest}`;
  const proposals = async (): Promise<RuleProposalsView> => (await admin.get(path('/rule-proposals'))).json;

  beforeAll(async () => {
    service = await startServiceOn(backEnd);
    admin = await member(service, 'admin');
    project = await service.makeProject();
  });
  afterAll(() => service.close());

  it('are none while nothing is known', async () => {
    expect(await proposals()).toEqual({
      known: 0,
      bad: 0,
      good: 0,
      baseRate: null,
      partial: false,
      proposals: [],
    });
  });

  it('find the pair of conditions that bad people have, and leave it out once it is a rule', async () => {
    await plantPeople(service, project);
    const found = await proposals();
    const bad = PLANTED_PEOPLE.filter(({ outcome }) => outcome === 'bad').length;
    expect(found).toMatchObject({ known: 360, bad, good: 360 - bad, partial: false });
    const [best] = found.proposals;
    expect(best?.conditions).toHaveLength(2);
    expect(best).toMatchObject({ bad: 40, badLetIn: 40, good: 0 });
    expect(best?.newer.low).toBeGreaterThan(2 * (found.baseRate ?? 1));

    const tried = (await admin.post(path('/rules/test'), { when: best?.when, days: 1 })).json;
    expect(tried).toMatchObject({ matches: 40, known: 40, bad: 40, good: 0 });
    const rule = { name: 'Proposed', when: best?.when, then: 'block', mode: 'shadow' };
    const created: Rule = (await admin.post(path('/rules'), rule)).json;
    expect(created).toMatchObject({ when: best?.when, mode: 'shadow' });
    expect((await proposals()).proposals.map(({ when }) => when)).not.toContain(best?.when);
  });
});
