import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { readSharedSigningKeys, rotateSigningKeyFile } from '../src/record/signing-key-file.ts';
import { startService } from './support/service.ts';

it('two installations with the same keys, from a file and from the environment, publish one key set, and each verifies the other’s verdicts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-keys-'));
  const file = join(folder, 'keys.json');
  const env = { POSTERN_SIGNING_KEYS: file };
  await expect(startService({ env })).rejects.toThrow(/postern signing-key rotate/);

  const hour = 3_600_000;
  const { key: first } = await rotateSigningKeyFile(file, Date.now() - 2 * hour, false);
  const { key: second } = await rotateSigningKeyFile(file, Date.now() - hour, false);
  const keys = await readFile(file, 'utf8');
  const cells = [
    await startService({ env }),
    await startService({ env: { POSTERN_SIGNING_KEYS: keys } }),
  ] as const;
  try {
    const sets = await Promise.all(cells.map((cell) => cell.ask({ path: '/.well-known/jwks.json' })));
    // The retired one is published for a day.
    for (const { json } of sets)
      expect(json.keys.map(({ kid }: { kid: string }) => kid).sort()).toEqual([first.kid, second.kid].sort());
    for (const [cell, other] of [cells, [cells[1], cells[0]]] as const) {
      const project = await cell.makeProject();
      const { headers } = await project.validate({ email: 'jane.doe@gmail.com' }, { prefer: 'verdict' });
      const [header = '', claims = '', signature = ''] = String(headers['x-postern-verdict']).split('.');
      const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
      const { keys: published } = (await other.ask({ path: '/.well-known/jwks.json' })).json;
      const jwk = published.find((one: { kid: string }) => one.kid === kid);
      expect(kid).toBe(second.kid);
      const signed = Buffer.from(`${header}.${claims}`);
      const key = createPublicKey({ key: jwk, format: 'jwk' });
      expect(verify(null, signed, key, Buffer.from(signature, 'base64url'))).toBe(true);
    }
  } finally {
    for (const cell of cells) await cell.close();
    await rm(folder, { recursive: true, force: true });
  }
});

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
