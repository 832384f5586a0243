import { describe, expect, it } from 'vitest';
import { rulesOn } from './support/rules-on.ts';
import { USUAL_BACK_ENDS } from './support/service-on.ts';

describe.each(USUAL_BACK_ENDS)('rules that are saved, on %s', (backEnd) => {
  const on = rulesOn(backEnd);

  it('are refused with line, column and what was expected', async () => {
    const fault = async (fields: object) => {
      const answer = await on.admin.post(on.path('/rules'), {
        name: 'x',
        when: 'true',
        then: 'flag',
        ...fields,
      });
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
    // CEL’s checker throws an error without a place for these.
    for (const when of ['[].all(x, x == x)', '([][0]) == ([][0])', '({}.x) == ({}.x)'])
      expect(await fault({ when })).toMatchObject({ field: 'when', line: 1, column: expect.any(Number) });
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
    expect((await on.admin.call('PATCH', on.path('/rules/nobody'), { name: 'x' })).status).toBe(404);
    await on.create({ id: 'taken', when: 'true', mode: 'shadow' });
    expect(await fault({ id: 'taken' })).toMatchObject({ field: 'id' });
    expect((await on.create({ name: 'Night Öwls!', when: 'true', mode: 'shadow' })).id).toBe('night_owls');
    expect((await on.create({ name: 'Night Öwls!', when: 'true', mode: 'shadow' })).id).toBe('night_owls_2');
    await on.clear();
    const many = Array.from({ length: 101 }, (_, index) => ({
      id: `r${index}`,
      name: 'R',
      when: 'true',
      then: 'flag',
      mode: 'shadow',
    }));
    expect((await on.admin.call('PATCH', on.path(''), { rules: many })).json.error).toMatch(
      /at most 100 rules/,
    );
    expect((await on.admin.call('PATCH', on.path(''), { rules: many.slice(1) })).status).toBe(200);
    await on.admin.call('PATCH', on.path(''), { rules: [] });
  });

  it('name the rule of several that is at fault, and nothing is saved', async () => {
    const fine = { name: 'R', when: 'true', then: 'flag', mode: 'shadow' };
    const save = async (...rules: object[]) => {
      const answer = await on.admin.call('PATCH', on.path(''), { rules });
      expect([answer.status, (await on.admin.get(on.path('/rules'))).json]).toEqual([400, []]);
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
      error: 'Rule 2: id must be 1 to 40 of a-z, 0-9 and _.',
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
    const refused = await on.admin.call('PATCH', on.path(''), { rules });
    expect([refused.status, refused.json]).toEqual([
      400,
      {
        field: 'rules',
        error: expect.stringMatching(/at most 10000 steps; these may take 1\d{4}\. The rule 'long_0'/),
      },
    ]);
    expect((await on.admin.call('PATCH', on.path(''), { rules: rules.slice(1) })).status).toBe(200);
    expect((await on.admin.post(on.path('/rules'), { ...rules[0], id: 'one_more' })).status).toBe(400);
  });

  it('end in the future, and one that has ended can still be changed', async () => {
    const past = {
      name: 'Past',
      when: 'true',
      then: 'flag',
      mode: 'shadow',
      expiresAt: Date.UTC(2020, 0, 1),
    };
    const refused = await on.admin.post(on.path('/rules'), past);
    expect([refused.status, refused.json]).toEqual([
      400,
      {
        field: 'expiresAt',
        error: expect.stringMatching(
          /2020-01-01T00:00:00\.000Z is in the past.*Give a later time, or none\./,
        ),
      },
    ]);
    const { expiresAt } = await on.createEnding({ ...past, id: 'brief' });
    await expect.poll(() => Date.now()).toBeGreaterThan(expiresAt);
    const renamed = await on.admin.call('PATCH', on.path('/rules/brief'), { name: 'Was brief' });
    expect([renamed.status, renamed.json.expiresAt]).toEqual([200, expiresAt]);
    expect((await on.admin.call('PATCH', on.path('/rules/brief'), { expiresAt: expiresAt - 1 })).status).toBe(
      400,
    );
  });

  it('do not overwrite what somebody else changed meanwhile', async () => {
    await on.clear();
    await on.create({ id: 'ours', when: 'true', mode: 'shadow' });
    const change = (body: object) => on.admin.call('PATCH', on.path('/rules/ours'), body);
    expect((await change({ note: 'theirs', when: 'false' })).status).toBe(200);
    const late = await change({ note: 'mine', expected: { note: null } });
    expect([late.status, late.json.error]).toEqual([409, expect.stringMatching(/^The rule: somebody else/)]);
    const again = { note: 'mine', then: 'block', expected: { note: 'theirs' } };
    expect((await change(again)).status).toBe(200);
    // The answer may have been lost; the same change is no conflict with itself.
    expect((await change(again)).json).toMatchObject({ note: 'mine', when: 'false', then: 'block' });
  });
});
