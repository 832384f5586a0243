import type { Rule } from '@postern/contract/rules';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type DashboardClient, member } from './support/dashboard.ts';
import type { TestProject, TestService } from './support/service.ts';
import { BACK_ENDS, startServiceOn } from './support/service-on.ts';

describe.each(BACK_ENDS)('rules that are saved, on %s', (backEnd) => {
  let service: TestService;
  let admin: DashboardClient;
  let project: TestProject;
  const path = (rest: string) => `/projects/${project.id}${rest}`;

  beforeAll(async () => {
    service = await startServiceOn(backEnd);
    admin = await member(service, 'admin');
    project = await service.makeProject();
  });
  afterAll(() => service.close());
  afterEach(() => clear());

  const create = async (fields: object): Promise<Rule> => {
    const answer = await admin.post(path('/rules'), { name: 'A rule', then: 'block', ...fields });
    expect([answer.status, answer.json.error]).toEqual([201, undefined]);
    return answer.json;
  };
  const clear = async () => {
    expect((await admin.call('PATCH', path(''), { rules: [] })).status).toBe(200);
  };

  it('are refused with line, column and what was expected', async () => {
    const fault = async (fields: object) => {
      const answer = await admin.post(path('/rules'), { name: 'x', when: 'true', then: 'flag', ...fields });
      expect(answer.status).toBe(400);
      return answer.json;
    };
    expect(await fault({ when: 'email.role &&\n  ip.asn == "1"' })).toMatchObject({
      field: 'when',
      line: 2,
      column: 3,
      error: expect.stringContaining('int == string'),
    });
    expect(await fault({ when: 'email.nothing' })).toMatchObject({
      field: 'when',
      line: 1,
      error: expect.stringContaining('email.domain'),
    });
    expect(await fault({ when: 'email.domain.matches("(a+)+$")' })).toMatchObject({ field: 'when' });
    expect(await fault({ when: `${'true && '.repeat(150)}true` })).toMatchObject({
      error: expect.stringContaining('at most 200'),
    });
    expect(await fault({ when: `"${'x'.repeat(2_000)}" == ""` })).toMatchObject({
      error: expect.stringContaining('2000 characters'),
    });
    expect(await fault({ then: 'maybe' })).toMatchObject({ field: 'then' });
    expect(await fault({ mode: 'dry' })).toMatchObject({ field: 'mode' });
    expect(await fault({ id: 'Not An ID' })).toMatchObject({ field: 'id' });
    expect(await fault({ message: '<b>no</b>' })).toMatchObject({ field: 'messages' });
    expect(await fault({ name: '' })).toMatchObject({ field: 'name' });
    expect((await admin.call('PATCH', path('/rules/nobody'), { name: 'x' })).status).toBe(404);
    await create({ id: 'taken', when: 'true', mode: 'shadow' });
    expect(await fault({ id: 'taken' })).toMatchObject({ field: 'id' });
    expect((await create({ name: 'Night Öwls!', when: 'true', mode: 'shadow' })).id).toBe('night_owls');
    expect((await create({ name: 'Night Öwls!', when: 'true', mode: 'shadow' })).id).toBe('night_owls_2');
    await clear();
    const many = Array.from({ length: 101 }, (_, index) => ({
      id: `r${index}`,
      name: 'R',
      when: 'true',
      then: 'flag',
      mode: 'shadow',
    }));
    expect((await admin.call('PATCH', path(''), { rules: many })).json.error).toMatch(/at most 100 rules/);
    expect((await admin.call('PATCH', path(''), { rules: many.slice(1) })).status).toBe(200);
    await admin.call('PATCH', path(''), { rules: [] });
  });
});
