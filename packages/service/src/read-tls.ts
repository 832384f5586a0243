import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Config } from './config.ts';

/** Certificate and key, or `undefined` for plain HTTP. Throws if they do not match. */
export async function readTls({ tls }: Config): Promise<{ cert: Buffer; key: Buffer } | undefined> {
  if (tls === undefined) return undefined;
  const [cert, key] = await Promise.all([
    readNamedFile('POSTERN_TLS_CERT', tls.certFile),
    readNamedFile('POSTERN_TLS_KEY', tls.keyFile),
  ]);
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `POSTERN_TLS_CERT and POSTERN_TLS_KEY: ${tls.certFile} and ${tls.keyFile} are not a matching certificate and private key in PEM format (${why})`,
      { cause },
    );
  }
  return { cert, key };
}

async function readNamedFile(setting: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new Error(`${setting}: ${file} cannot be read`, { cause });
  }
}
