import { createPrivateKey, generateKeyPairSync, verify } from 'node:crypto';
import { arch, platform } from 'node:process';
import { describe, expect, it } from 'vitest';
import { ed25519Signer, findSodium, sodiumSigner, threadPoolSigner } from './verdict.ts';

/** There is no binary for musl. This does not detect musl. */
const SODIUM_RUNS_ON = ['darwin x64', 'darwin arm64', 'win32 x64'];

describe('an Ed25519 signature', () => {
  const message = Buffer.from('header.claims');

  it('is the same from libsodium and OpenSSL, and verifies', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const byPool = await threadPoolSigner(privateKey)(message);
    expect(verify(null, message, publicKey, byPool)).toBe(true);
    const sodium = findSodium();
    if (sodium === undefined) expect(SODIUM_RUNS_ON).not.toContain(`${platform} ${arch}`);
    else expect(await sodiumSigner(privateKey, sodium)(message)).toEqual(byPool);
  });

  it('is the one of RFC 8032 section 7.1, test 2', async () => {
    const seed = '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb';
    const pkcs8 = Buffer.from(`302e020100300506032b657004220420${seed}`, 'hex');
    const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
    const signature = await ed25519Signer(privateKey)(Buffer.from('72', 'hex'));
    expect(signature.toString('hex')).toBe(
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    );
  });
});
