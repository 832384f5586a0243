import { expect, it } from 'vitest';
import { readSharedSigningKeys } from './signing-key-file.ts';
import { makeSigningKey } from './verdict.ts';

it.each([
  ['a PEM', (pem: string) => pem],
  ['a key set', (pem: string) => JSON.stringify({ keys: [{ privateKey: pem }] })],
  ['a quoted list', (pem: string) => `'${JSON.stringify([{ privateKey: pem }])}'`],
])('never prints a value that may be a key: %s', async (_name, settingOf) => {
  const { privateKey } = makeSigningKey(0);
  const fault = await readSharedSigningKeys(settingOf(privateKey)).catch((error: Error) => error);
  const printed = fault instanceof Error ? `${fault.message} ${String(fault.cause)} ${fault.stack}` : '';
  expect(printed).toContain('neither a list of signing keys nor the name of a file');
  for (const line of privateKey.split('\n')) if (line !== '') expect(printed).not.toContain(line);
});

it('names the file that is missing', async () => {
  await expect(readSharedSigningKeys('/nowhere/keys.json')).rejects.toThrow('/nowhere/keys.json');
});
