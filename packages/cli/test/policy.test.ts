import { expect, test } from 'vitest';
import { posternOnFreshStore } from './support/postern.ts';

test('the history of the policy tells who changed what and why, and goes back', async () => {
  const postern = await posternOnFreshStore();
  await postern('project', 'create', '--id', 'shop');
  const rule = ['--name', 'Roles', '--when', 'email.role', '--then', 'flag', '--reason', 'Bots use them'];
  expect((await postern('rule', 'create', '--project', 'shop', ...rule)).code).toBe(0);
  await postern('project', 'update', 'shop', '--action', 'mx=flag', '--reason', 'Softer');
  const history = '/projects/shop/policy-history';
  expect((await postern('api', `GET ${history}`)).json.rows).toMatchObject([
    { version: 3, by: 'cli', reason: 'Softer', changes: ['Check mx: flag, was block.'] },
    { version: 2, reason: 'Bots use them', changes: ['Rule roles (Roles) is new: flag if email.role.'] },
    { version: 1, reason: null, changes: [] },
  ]);
  expect((await postern('api', `GET ${history}/1?against=3`)).json).toMatchObject({
    version: 1,
    changes: ['Check mx: block, was flag.', 'Rule roles (Roles) is deleted.'],
    rules: [],
  });
  const restore = (version: string) =>
    postern('api', `POST ${history}/${version}/restore`, '--body', '{"reason": "Too many were flagged"}');
  expect((await restore('1')).json).toMatchObject({ version: 4, reason: 'Too many were flagged' });
  expect((await postern('rule', 'list', '--project', 'shop', '--json')).json).toEqual([]);
  expect((await restore('9')).code).toBe(1);
  expect((await restore('x')).code).toBe(2);
});
