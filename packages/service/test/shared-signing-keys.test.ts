import { createPublicKey, verify } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rotateSigningKeyFile } from '../src/record/signing-key-file.ts';
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
