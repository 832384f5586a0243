import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { repository } from './support/built-sdks.ts';

it('one command builds, starts a Postern of its own and serves an example', async () => {
  const child = spawn(process.execPath, ['examples/start.mjs', 'plain-form'], {
    cwd: repository,
    env: { PATH: process.env.PATH, PORT: '0', POSTERN_TIMEOUT_MS: '60000' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  try {
    const origin = await new Promise<string>((resolve, reject) => {
      let printed = '';
      const read = (chunk: Buffer) => {
        printed += chunk.toString();
        const url = /Listening on (\S+)/.exec(printed)?.[1];
        if (url !== undefined) resolve(url);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('close', () => reject(new Error(`It ended:\n${printed}`)));
    });
    const page = await (await fetch(origin)).text();
    expect(page).toContain('pst_client_live_');
    expect(page).not.toContain('pst_server_');
    const signUp = (email: string) =>
      fetch(`${origin}/sign-up`, { method: 'POST', body: new URLSearchParams({ email }) });
    const refused = await signUp('x@mailinator.com');
    expect([refused.status, await refused.text()]).toEqual([422, 'Please use a permanent email address.']);
    expect((await signUp('jane.doe@gmail.com')).status).toBe(200);
  } finally {
    child.kill();
    await exited;
  }
});
