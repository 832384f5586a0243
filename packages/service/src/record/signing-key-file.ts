import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { whyUnreadable } from '../model/why-unreadable.ts';
import type { SigningKey } from '../store/tables/instance-table.ts';
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

/** A path, or a name with an ending. Base64 has no dots and hardly ever starts as a path does. */
const FILE_NAME = /^[^\r\n{}"]*$/;
const LOOKS_LIKE_FILE = /^(\.{0,2}\/|~\/|[A-Za-z]:[\\/])|\.[a-z]{2,5}$/;

/** The name of a file, for messages. A setting that does not look like one may be a key, and is never printed. */
const nameOfFile = (setting: string) =>
  setting.length <= 300 && FILE_NAME.test(setting) && LOOKS_LIKE_FILE.test(setting)
    ? setting
    : 'the value, which is neither a list of signing keys nor looks like the name of a file,';

/** With a `cause` it is no bug, so the start shows no stack. That of a JSON error quotes part of the text, which is secret. */
const refusal = (message: string) =>
  new Error(`POSTERN_SIGNING_KEYS: ${message}`, { cause: 'POSTERN_SIGNING_KEYS' });

/** Reads the keys that several installations share: what POSTERN_SIGNING_KEYS names, or what it holds. */
export async function readSharedSigningKeys(setting: string): Promise<SigningKey[]> {
  return isKeys(setting) ? parseKeys(setting, 'the value') : readSigningKeyFile(setting);
}

async function readSigningKeyFile(file: string): Promise<SigningKey[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const advice = code === 'ENOENT' ? '; create it with: postern signing-key rotate' : '';
    const name = nameOfFile(file);
    // The whole cause would name the file too.
    throw new Error(`POSTERN_SIGNING_KEYS: ${name} ${whyUnreadable(cause)}${advice}`, { cause: { code } });
  }
  return parseKeys(text, nameOfFile(file));
}

function parseKeys(text: string, where: string): SigningKey[] {
  const keys = parseList(text);
  if (keys.length === 0) throw refusal(`${where} is not a list of signing keys`);
  return keys.map((key, index) => toSigningKey(key, `${where}, key ${index + 1} of ${keys.length}`));
}

function parseList(text: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

/**
 * Adds a key to the file, or creates the file. Earlier keys are retired, or removed if `revoke` is set. Returns the
 * new key and the IDs of the removed ones.
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

function toSigningKey(written: unknown, where: string): SigningKey {
  const { privateKey, createdAt, retiredAt } = (written ?? {}) as Partial<Record<keyof FileKey, unknown>>;
  const key = parsePrivateKey(privateKey);
  if (key?.asymmetricKeyType !== 'ed25519')
    throw refusal(`${where}: privateKey is not an Ed25519 private key in PEM format`);
  const times = [createdAt, ...(retiredAt === undefined ? [] : [retiredAt])].map((time) =>
    typeof time === 'string' ? Date.parse(time) : Number.NaN,
  );
  if (times.some(Number.isNaN))
    throw refusal(`${where}: createdAt and retiredAt must be times such as 2026-11-15T12:00:00Z`);
  const [created = 0, retired = null] = times;
  return { ...signingKeyOf(key, created), retiredAt: retired };
}

function parsePrivateKey(pem: unknown): KeyObject | undefined {
  try {
    return typeof pem === 'string' ? createPrivateKey(pem) : undefined;
  } catch {
    return undefined;
  }
}

function toFileKey({ privateKey, createdAt, retiredAt }: SigningKey): FileKey {
  return {
    createdAt: new Date(createdAt).toISOString(),
    ...(retiredAt !== null && { retiredAt: new Date(retiredAt).toISOString() }),
    privateKey,
  };
}
