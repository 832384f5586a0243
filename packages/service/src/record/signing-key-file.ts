import { createPrivateKey } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { whyUnreadable } from '../model/why-unreadable.ts';
import type { SigningKey } from '../store/store.ts';
import { makeSigningKey, signingKeyOf } from './verdict.ts';

/** One key in the file. Everything else about it follows from the private key. */
interface FileKey {
  readonly createdAt: string;
  readonly retiredAt?: string;
  /** PKCS#8, PEM. */
  readonly privateKey: string;
}

/** Whether POSTERN_SIGNING_KEYS is the keys themselves and not the name of their file. */
const isKeys = (setting: string) => setting.trimStart().startsWith('[');

/** Reads the keys that several installations share: what POSTERN_SIGNING_KEYS names, or what it holds. */
export async function readSharedSigningKeys(setting: string): Promise<SigningKey[]> {
  return isKeys(setting) ? parseKeys(setting, 'its text') : readSigningKeyFile(setting);
}

async function readSigningKeyFile(file: string): Promise<SigningKey[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const advice = code === 'ENOENT' ? '; create it with: postern signing-key rotate' : '';
    throw new Error(`POSTERN_SIGNING_KEYS: ${file} ${whyUnreadable(cause)}${advice}`, { cause });
  }
  return parseKeys(text, file);
}

/** The error has no cause, because that of a JSON error repeats a part of the text, which is secret. */
function parseKeys(text: string, where: string): SigningKey[] {
  try {
    const keys = (JSON.parse(text) as readonly FileKey[]).map(toSigningKey);
    if (keys.length > 0) return keys;
  } catch {}
  throw new Error(`POSTERN_SIGNING_KEYS: ${where} is not a list of signing keys`);
}

/**
 * Adds a key to the file, or creates the file. Earlier keys are retired, and forgotten where they are `revoked`. Returns
 * the new key and the IDs of the forgotten ones.
 */
export async function rotateSigningKeyFile(
  file: string,
  now: number,
  revoke: boolean,
): Promise<{ readonly key: SigningKey; readonly revoked: readonly string[] }> {
  if (isKeys(file))
    throw new Error(
      'POSTERN_SIGNING_KEYS holds the keys themselves. Save them in a file, run this command with POSTERN_SIGNING_KEYS set to the file’s name, then set POSTERN_SIGNING_KEYS to its new content on every installation',
    );
  const earlier = await readSigningKeyFile(file).catch((error: Error) => {
    if ((error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return [];
    throw error;
  });
  const key = makeSigningKey(now);
  const kept = revoke ? [] : earlier.map((old) => ({ ...old, retiredAt: old.retiredAt ?? now }));
  // A reader never sees half a file.
  await writeFile(`${file}.new`, `${JSON.stringify([...kept, key].map(toFileKey), null, 2)}\n`, {
    mode: 0o600,
  });
  await rename(`${file}.new`, file);
  return { key, revoked: revoke ? earlier.map(({ kid }) => kid) : [] };
}

function toSigningKey({ privateKey, createdAt, retiredAt }: FileKey): SigningKey {
  const key = createPrivateKey(privateKey);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('A signing key is an Ed25519 key');
  const times = [createdAt, ...(retiredAt === undefined ? [] : [retiredAt])].map(Date.parse);
  if (times.some(Number.isNaN))
    throw new Error('createdAt and retiredAt are times such as 2026-11-15T12:00:00Z');
  const [created = 0, retired = null] = times;
  return { ...signingKeyOf(key, created), retiredAt: retired };
}

function toFileKey({ privateKey, createdAt, retiredAt }: SigningKey): FileKey {
  return {
    createdAt: new Date(createdAt).toISOString(),
    ...(retiredAt !== null && { retiredAt: new Date(retiredAt).toISOString() }),
    privateKey,
  };
}
