import { expect, test } from 'vitest';
import { posternOnFreshStore } from './support/postern.ts';

test('policy history, show and restore tell who changed what and why, and go back', async () => {
  const postern = await posternOnFreshStore();
  await postern('project', 'create', '--id', 'shop');
  const project = ['--project', 'shop'];
  const rule = ['--name', 'Roles', '--when', 'email.role', '--then', 'flag', '--reason', 'Bots use them'];
  expect((await postern('rule', 'create', ...project, ...rule)).code).toBe(0);
  await postern('project', 'update', 'shop', '--action', 'mx=flag', '--reason', 'Softer');
  const history = await postern('policy', 'history', ...project, '--json');
  expect(history.json).toMatchObject([
    { version: 3, by: 'cli', reason: 'Softer', changes: ['Check mx: flag, was block.'] },
    { version: 2, reason: 'Bots use them', changes: ['Rule roles (Roles) is new: flag if email.role.'] },
    { version: 1, reason: null, changes: [] },
  ]);
  const shown = await postern('policy', 'show', '1', ...project, '--against', '3', '--json');
  expect(shown.json).toMatchObject({
    version: 1,
    changes: ['Check mx: block, was flag.', 'Rule roles (Roles) is deleted.'],
    rules: [],
  });
  const text = await postern('policy', 'show', '2', ...project);
  expect(text.out).toMatch(
    /Rule roles \(Roles\) is new[\s\S]*\nchecks +syntax=block[\s\S]*\nroles +Roles +flag +live +email\.role\n/,
  );
  expect((await postern('policy', 'show', '1', ...project)).out).toMatch(
    /the first version[\s\S]*checks +[\s\S]*No rules\./,
  );
  const back = await postern('policy', 'restore', '1', ...project, '--reason', 'Too many were flagged');
  expect([back.code, back.out]).toEqual([
    0,
    expect.stringMatching(/^Version 4, .*Too many were flagged\n {2}Check mx/),
  ]);
  expect((await postern('rule', 'list', ...project, '--json')).json).toEqual([]);
  expect((await postern('policy', 'restore', '9', ...project)).code).toBe(1);
  expect((await postern('policy', 'restore', 'x', ...project)).code).toBe(2);
});
