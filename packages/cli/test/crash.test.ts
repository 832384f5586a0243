import { once } from 'node:events';
import { expect, test } from 'vitest';
import { sharedPostgresServer } from '../../service/test/support/postgres.ts';
import { type BackEnd, USUAL_BACK_ENDS } from '../../service/test/support/service-on.ts';
import { slowInsert } from '../../service/test/support/slow-insert.ts';
import { freshFolder, posternOn, startPostern } from './support/postern.ts';

async function settingsOn(backEnd: BackEnd): Promise<Record<string, string>> {
  if (backEnd === 'sqlite') return { POSTERN_DATA_DIR: await freshFolder() };
  const server = await sharedPostgresServer();
  const database = await server.database();
  return { POSTERN_DATA_DIR: await freshFolder(), POSTERN_DATABASE_URL: database.url };
}

/** Without one transaction for both, the change would stay and the log would never have it. */
test.each(USUAL_BACK_ENDS)(
  'a change whose audit row is not written is not stored, on %s',
  async (backEnd) => {
    const settings = await settingsOn(backEnd);
    const postern = posternOn(settings);
    await postern('project', 'create', '--id', 'shop');
    const key = ['key', 'create', '--project', 'shop', '--type', 'server'];
    const { json: kept } = await postern(...key, '--json');

    const slow = await slowInsert(settings, 'audit', "NEW.action IN ('key.create', 'key.revoke')");
    for (const command of [key, ['key', 'revoke', kept.id]]) {
      const killed = startPostern(settings, '', ...command);
      const closed = once(killed, 'close');
      await slow.reached();
      killed.kill('SIGKILL');
      expect(await closed).toEqual([null, 'SIGKILL']);
    }
    await slow.end();
    const keys = (await postern('key', 'list', '--json')).json;
    expect(keys).toMatchObject([{ id: kept.id, status: 'active' }]);
    expect((await postern('audit', 'verify')).code).toBe(0);
  },
);
