import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Config } from './config.ts';
import { whyUnreadable } from './model/why-unreadable.ts';

/** Certificate and key, or `undefined` for plain HTTP. Throws if they do not match. */
export async function readTls({ tls }: Pick<Config, 'tls'>): Promise<TlsFiles | undefined> {
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
    throw new Error(`${setting}: ${file} ${whyUnreadable(cause)}`, { cause });
  }
}

export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface TlsReload {
  /** Reads the files now, as on SIGHUP. */
  readonly reload: () => void;
  readonly close: () => void;
}

/** Renewal programs replace the files in several ways (a link, a copy, a mount), so the contents are compared. */
const LOOK_EVERY_MS = 10_000;

/**
 * Uses a renewed certificate for new connections without a restart. A pair that does not match, as while the files are
 * being replaced, is not used.
 */
export function reloadTls(
  config: Pick<Config, 'tls'>,
  current: TlsFiles | undefined,
  { use, onReloaded, onFault }: TlsReloadEvents,
): TlsReload {
  let inUse = current;
  let lastFault: string | undefined;
  const look = async (): Promise<void> => {
    if (inUse === undefined) return;
    try {
      const read = await readTls(config);
      lastFault = undefined;
      if (read === undefined || (read.cert.equals(inUse.cert) && read.key.equals(inUse.key))) return;
      use(read);
      inUse = read;
      onReloaded();
    } catch (fault) {
      const message = fault instanceof Error ? fault.message : String(fault);
      if (message !== lastFault) onFault(message);
      lastFault = message;
    }
  };
  const timer = inUse && setInterval(() => void look(), LOOK_EVERY_MS).unref();
  return { reload: () => void look(), close: () => clearInterval(timer) };
}

interface TlsReloadEvents {
  readonly use: (files: TlsFiles) => void;
  readonly onReloaded: () => void;
  /** The files cannot be used. Called once for each reason. */
  readonly onFault: (reason: string) => void;
}
