import { expect, it } from 'vitest';
import { startService } from './support/service.ts';
import { counted, start } from './support/versions.ts';

it('the embedded store goes forwards and back, and refuses a version that is too old', async () => {
  const old = await startService();
  const place = { dataDir: old.dataDir };
  const project = await old.makeProject();
  await project.validate({ email: 'jane.doe@gmail.com' });
  await old.stop();
  for (const version of [1, 0] as const) {
    const service = await start(place, version);
    const answer = await service.ask({
      method: 'POST',
      path: '/validate',
      headers: { authorization: `Bearer ${project.serverKey}`, 'x-project-id': project.id },
      body: JSON.stringify({ email: `version.${version}@gmail.com` }),
    });
    expect(answer.status).toBe(200);
    await service.stop();
    await service.dns.close();
  }
  expect(await counted(old, project.id)).toEqual({ used: 3, logged: 3 });
  const newest = await start(place, 2);
  await newest.stop();
  await newest.dns.close();
  await expect(start(place, 0)).rejects.toThrow(/newer version of Postern/);
  await old.close();
});
