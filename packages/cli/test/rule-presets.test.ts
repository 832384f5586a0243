import { RULE_PRESETS } from '@postern/contract/rule-presets';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestProject, type TestService } from '../../service/test/support/service.ts';
import { posternOn } from './support/postern.ts';

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await startService();
  project = await service.makeProject();
});
afterAll(() => service.close());

const postern = (...args: string[]) =>
  posternOn({ POSTERN_DATA_DIR: service.dataDir, POSTERN_FEEDS: 'off' })(...args);

test('rule create --preset makes it in shadow, and options change what they name', async () => {
  const create = (...args: string[]) => postern('rule', 'create', '--project', project.id, ...args, '--json');
  expect((await create('--preset', 'bots_automated')).json).toMatchObject({
    id: 'bots_automated',
    name: 'Automated browser',
    when: 'device.automated',
    then: 'block',
    mode: 'shadow',
    note: RULE_PRESETS.bots_automated.reason,
  });
  expect(
    (await create('--preset', 'accounts_threshold', '--then', 'block', '--mode', 'live')).json,
  ).toMatchObject({
    id: 'accounts_threshold',
    then: 'block',
    mode: 'live',
  });
  const unknown = await create('--preset', 'nothing');
  expect([unknown.code, unknown.error]).toEqual([2, expect.stringContaining('no ready-made rule "nothing"')]);
  const missing = await create('--name', 'x', '--then', 'flag');
  expect([missing.code, missing.error]).toEqual([2, expect.stringContaining('when must be a text')]);
});
