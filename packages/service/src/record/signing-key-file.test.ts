import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { startFailure } from '../start-failure.ts';
import { readSharedSigningKeys } from './signing-key-file.ts';
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
