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
      error: expect.stringMatching(/^Line 2, column 3: .* Write 1 without quotes\.$/),
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
    expect(await fault({ message: '<b>no</b>' })).toMatchObject({ field: 'message' });
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

  it('name the rule of several that is at fault, and nothing is saved', async () => {
    const fine = { name: 'R', when: 'true', then: 'flag', mode: 'shadow' };
    const save = async (...rules: object[]) => {
      const answer = await admin.call('PATCH', path(''), { rules });
      expect([answer.status, (await admin.get(path('/rules'))).json]).toEqual([400, []]);
      return answer.json;
    };
    const first = { ...fine, id: 'first' };
    expect(await save(first, { ...fine, id: 'second', when: 'ip.known &&\n ip.asn = 1' })).toEqual({
      field: 'rules[1].when',
      line: 2,
      column: 9,
      error: 'Rule 2 (second): Line 2, column 9: Write == to compare.',
    });
    expect(await save(first, { ...fine, id: 'Not an ID' })).toMatchObject({
      field: 'rules[1].id',
      error: expect.stringContaining("Rule 2: 'Not an ID'"),
    });
    const asks = { ...fine, id: 'asks', when: 'ip.known ||\n  inList("nowhere", email.domain)' };
    expect(await save(first, asks)).toMatchObject({
      field: 'rules[1].when',
      line: 2,
      column: 10,
      error: expect.stringContaining("Rule 2 (asks): Line 2, column 10: There is no list 'nowhere'."),
    });
    const past = { ...fine, id: 'past', expiresAt: 1_000 };
    expect(await save(past)).toMatchObject({ field: 'rules[0].expiresAt' });
  });

  it('take a bounded number of steps together', async () => {
    const when = `signals.exists(s, ${Array.from({ length: 3 }, () => 's.contains("a")').join(' || ')})`;
    const rules = Array.from({ length: 7 }, (_, at) => ({ id: `long_${at}`, name: 'L', when, then: 'flag' }));
    const refused = await admin.call('PATCH', path(''), { rules });
    expect([refused.status, refused.json]).toEqual([
      400,
      {
        field: 'rules',
        error: expect.stringMatching(/at most 10000 steps; these may take 1\d{4}\. The rule 'long_0'/),
      },
    ]);
    expect((await admin.call('PATCH', path(''), { rules: rules.slice(1) })).status).toBe(200);
    expect((await admin.post(path('/rules'), { ...rules[0], id: 'one_more' })).status).toBe(400);
  });

  it('end in the future, and one that has ended can still be changed', async () => {
    const past = {
      name: 'Past',
      when: 'true',
      then: 'flag',
      mode: 'shadow',
      expiresAt: Date.UTC(2020, 0, 1),
    };
    const refused = await admin.post(path('/rules'), past);
    expect([refused.status, refused.json]).toEqual([
      400,
      {
        field: 'expiresAt',
        error: expect.stringMatching(
          /2020-01-01T00:00:00\.000Z is in the past.*Give a later time, or none\./,
        ),
      },
    ]);
    const expiresAt = Date.now() + 500;
    await create({ ...past, id: 'brief', expiresAt });
    await expect.poll(() => Date.now()).toBeGreaterThan(expiresAt);
    const renamed = await admin.call('PATCH', path('/rules/brief'), { name: 'Was brief' });
    expect([renamed.status, renamed.json.expiresAt]).toEqual([200, expiresAt]);
    expect((await admin.call('PATCH', path('/rules/brief'), { expiresAt: expiresAt - 1 })).status).toBe(400);
  });
});
