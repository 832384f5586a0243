import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { startFailure } from '../start-failure.ts';
import { readSharedSigningKeys, rotateSigningKeyFile } from './signing-key-file.ts';
import { makeSigningKey } from './verdict.ts';

it.each([
  ['a PEM', (pem: string) => pem],
  ['a key set', (pem: string) => JSON.stringify({ keys: [{ privateKey: pem }] })],
  ['the Base64 of a PEM alone', (pem: string) => pem.split('\n')[1] ?? ''],
  ['the Base64 of the whole PEM', (pem: string) => Buffer.from(pem).toString('base64')],
  ['a quoted list', (pem: string) => `'${JSON.stringify([{ privateKey: pem }])}'`],
])('never prints a value that may be a key: %s', async (_name, settingOf) => {
  const { privateKey } = makeSigningKey(0);
  const fault = await readSharedSigningKeys(settingOf(privateKey)).catch((error: Error) => error);
  const printed = inspect(fault);
  expect(printed).toContain('neither a list of signing keys nor looks like the name of a file');
  for (const line of [settingOf(privateKey), ...privateKey.split('\n')])
    if (line !== '') expect(printed).not.toContain(line);
  expect(startFailure(fault)).not.toContain('\n');
});

it.each(['/nowhere/keys.json', './keys', 'C:\\\\postern\\\\keys', 'keys.json'])(
  'names the file that is missing: %s',
  async (file) => {
    await expect(readSharedSigningKeys(file)).rejects.toThrow(`${file} cannot be read`);
  },
);

it('keys that cannot be read are refused without a word of them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-keys-'));
  const file = join(folder, 'keys.json');
  const broken = '[{"privateKey":secret}]';
  await writeFile(file, broken);
  for (const setting of [file, broken]) {
    const error = await readSharedSigningKeys(setting).catch((thrown: unknown) => thrown);
    const said = inspect(error);
    expect(said).toContain('is not a list of signing keys');
    expect(said).not.toContain('secret');
  }
  await expect(rotateSigningKeyFile(file, Date.now(), false)).rejects.toThrow('is not a list');
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const good = { privateKey: pem, createdAt: '2026-11-15T12:00:00Z' };
  for (const [bad, problem] of [
    [{ ...good, privateKey: 'secret' }, 'privateKey is not an Ed25519 private key'],
    [{ ...good, retiredAt: 'yesterday' }, 'createdAt and retiredAt must be times'],
    [{ privateKey: pem }, 'createdAt and retiredAt must be times'],
    [null, 'privateKey is not an Ed25519 private key'],
  ] as const) {
    const error = await readSharedSigningKeys(JSON.stringify([good, bad])).catch((thrown: unknown) => thrown);
    expect(inspect(error)).toContain(`the value, key 2 of 2: ${problem}`);
    expect(inspect(error)).not.toContain('secret');
  }
  await rm(folder, { recursive: true, force: true });
});
