/** Each cell’s verdicts, verified with the other’s published keys: cross-verify.mjs JSON JSON */
import { createPublicKey, verify } from 'node:crypto';

const cells = process.argv.slice(2).map((text) => JSON.parse(text));
for (const [index, { url, project, key }] of cells.entries()) {
  const headers = { authorization: `Bearer ${key}`, 'x-project-id': project };
  const answer = await fetch(`${url}/validate`, {
    method: 'POST',
    headers,
    body: '{"email":"jane.doe@gmail.com"}',
  });
  const [header, claims, signature] = answer.headers.get('x-postern-verdict').split('.');
  const { kid } = JSON.parse(Buffer.from(header, 'base64url'));
  const other = cells[1 - index];
  const { keys } = await (await fetch(`${other.url}/.well-known/jwks.json`)).json();
  const jwk = keys.find((one) => one.kid === kid);
  if (jwk === undefined) throw new Error(`${other.url} does not publish ${kid}`);
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const good = verify(
    null,
    Buffer.from(`${header}.${claims}`),
    publicKey,
    Buffer.from(signature, 'base64url'),
  );
  console.log(`a verdict of cell ${index + 1}, verified with the keys of cell ${2 - index}: ${good}`);
  if (!good) process.exitCode = 1;
}
