import type { RuleProposalsView } from '@postern/contract/dashboard';
import type { Rule } from '@postern/contract/rules';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DashboardClient, member } from './support/dashboard.ts';
import type { TestProject, TestService } from './support/service.ts';
import { BACK_ENDS, startServiceOn } from './support/service-on.ts';

const HOSTING = '45.77.3.77';
const ORDINARY = '81.2.69.1';
const AT_ONCE = 20;

describe.each(BACK_ENDS)('proposals on %s', (backEnd) => {
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

  /** A third comes from a hosting network, a third with a tag. Who has both is bad, and so is one in forty of the others. */
  const people = Array.from({ length: 360 }, (_, index) => {
    const [hosting, tagged] = [index % 3 === 0, Math.floor(index / 3) % 3 === 0];
    return {
      email: `person.number${index}${tagged ? '+x' : ''}@gmail.com`,
      ip: hosting ? HOSTING : ORDINARY,
      outcome: (hosting && tagged) || index % 40 === 20 ? 'bad' : 'good',
    };
  });

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
    for (let at = 0; at < people.length; at += AT_ONCE)
      await Promise.all(
        people.slice(at, at + AT_ONCE).map(({ email, ip }) => project.validate({ email, ip })),
      );
    for (let at = 0; at < people.length; at += 100) {
      const outcomes = people.slice(at, at + 100).map(({ email, outcome }) => ({ email, outcome }));
      const answer = await service.ask({
        method: 'POST',
        path: '/v1/outcomes',
        headers: { authorization: `Bearer ${project.serverKey}`, 'x-project-id': project.id },
        body: JSON.stringify({ outcomes }),
      });
      expect(answer.status).toBe(200);
    }
    const found = await proposals();
    const bad = people.filter(({ outcome }) => outcome === 'bad').length;
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
