import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest();
/** The person is present and has unlocked it. */
const UNLOCKED = 0x05;
const HAS_CREDENTIAL = 0x40;

/** A passkey in software: what a browser and its authenticator do (WebAuthn level 3, sections 6.1 and 6.5). */
export function softwareAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const facts = (rpId: string, flags: number) =>
    Buffer.concat([sha256(rpId), Buffer.from([flags, 0, 0, 0, 0])]);
  const answer = (response: object) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    response,
    clientExtensionResults: {},
  });
  return {
    register({ challenge, rp }: { challenge: string; rp: { id: string } }) {
      // CBOR: an EC2 key for ES256 on P-256, in a statement of the format `none`.
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const authData = Buffer.concat([
        facts(rp.id, UNLOCKED | HAS_CREDENTIAL),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        key,
      ]);
      const attestationObject = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        Buffer.from([0x59, authData.length >> 8, authData.length & 0xff]),
        authData,
      ]);
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      });
    },
    signIn({ challenge, rpId }: { challenge: string; rpId: string }) {
      const client = clientData('webauthn.get', challenge);
      const authenticatorData = facts(rpId, UNLOCKED);
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(client)]), privateKey);
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
      });
    },
  };
}
