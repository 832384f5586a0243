import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const POSTERNCTL = fileURLToPath(new URL('../deploy/posternctl', import.meta.url));
const SETUP = fileURLToPath(new URL('../deploy/systemd-setup.sh', import.meta.url));
const UNIT = fileURLToPath(new URL('../deploy/postern.service', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posternctl-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function posternctl(unit: string, ...args: string[]) {
  const env = { PATH: process.env.PATH, POSTERNCTL_UNIT: unit };
  return spawnSync(POSTERNCTL, args, { env, cwd: folder, encoding: 'utf8' });
}

/** Our own unit with other paths and without its user, which this machine does not have. */
async function unitWith(environmentFile: string): Promise<string> {
  const unit = join(folder, 'postern.service');
  const text = (await readFile(UNIT, 'utf8'))
    .replace(/^User=.*\n^Group=.*\n/m, '')
    .replace('/var/lib/postern', join(folder, 'from-the-unit'))
    .replace('-/etc/postern/postern.env', environmentFile);
  expect(text).toContain(environmentFile);
  await writeFile(unit, text);
  return unit;
}

it('uses the store of the unit’s environment, and its file wins', async () => {
  const unit = await unitWith(`-${join(folder, 'postern.env')}`);
  expect(posternctl(unit, 'project', 'create', '--id', 'shop').status).toBe(0);
  expect(existsSync(join(folder, 'from-the-unit', 'postern.db'))).toBe(true);
  expect(existsSync(join(folder, 'data'))).toBe(false);

  await writeFile(
    join(folder, 'postern.env'),
    `# settings\n; more\n\nPOSTERN_DATA_DIR="${join(folder, 'from the file')}"\nPOSTERN_PLANS='free=7'\n`,
  );
  const created = posternctl(unit, 'project', 'create', '--id', 'other', '--json');
  expect(JSON.parse(created.stdout)).toMatchObject({ id: 'other' });
  expect(existsSync(join(folder, 'from the file', 'postern.db'))).toBe(true);
  const list = posternctl(unit, 'project', 'list', '--json');
  expect(list.stdout).toContain('other');
  expect(list.stdout).not.toContain('shop');
});

it('passes the exit code on, and says what is missing', async () => {
  expect(posternctl(await unitWith('-/nowhere/at/all'), 'nonsense').status).toBe(2);
  const missing = posternctl(await unitWith('/nowhere/at/all'), 'project', 'list');
  expect([missing.status, missing.stderr]).toEqual([
    1,
    'posternctl: /nowhere/at/all cannot be read (ENOENT)\n',
  ]);
  expect(posternctl('no-such-unit', 'project', 'list').stderr).toContain('POSTERNCTL_UNIT');
});

it('is set up together with the unit by one script, which keeps settings when it is run again', async () => {
  // Installing and building take minutes, so npm only notes how it was called.
  const npm = `#!/bin/sh\necho "$@" >> '${join(folder, 'npm-calls')}'\n`;
  await writeFile(join(folder, 'npm'), npm, { mode: 0o755 });
  const env = { PATH: `${folder}:${dirname(process.execPath)}:${process.env.PATH}`, DESTDIR: folder };
  const setUp = () => spawnSync(SETUP, { env, cwd: folder, encoding: 'utf8' });
  expect([setUp().status, setUp().stderr]).toEqual([0, '']);
  const settings = join(folder, 'etc/postern/postern.env');
  expect((await stat(settings)).mode & 0o777).toBe(0o600);
  await writeFile(settings, `POSTERN_DATA_DIR=${join(folder, 'kept')}\n`);
  expect(setUp().status).toBe(0);
  expect(await readFile(join(folder, 'npm-calls'), 'utf8')).toMatch(/^(ci --omit=dev\nrun build\n){3}$/);

  const unit = join(folder, 'etc/systemd/system/postern.service');
  const text = await readFile(unit, 'utf8');
  const checkout = fileURLToPath(new URL('..', import.meta.url));
  expect(text).toContain(`ExecStart=${join(dirname(process.execPath), 'node')} `);
  expect(text).toContain(`WorkingDirectory=${checkout.replace(/\/$/, '')}\n`);
  await writeFile(
    unit,
    text.replace(/^User=.*\n^Group=.*\n/m, '').replace('-/etc/postern', join(folder, 'etc/postern')),
  );
  const linked = join(folder, 'usr/local/sbin/posternctl');
  const created = spawnSync(linked, ['project', 'create', '--id', 'shop'], {
    env: { PATH: env.PATH, POSTERNCTL_UNIT: unit },
    encoding: 'utf8',
  });
  expect([created.status, created.stderr]).toEqual([0, '']);
  expect(existsSync(join(folder, 'kept', 'postern.db'))).toBe(true);
});
