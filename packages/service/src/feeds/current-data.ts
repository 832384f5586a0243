import { readFile, stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { type DomainList, loadDomainList } from '../lookup/domain-list.ts';
import { type IpRanges, loadIpRanges } from '../lookup/ip-ranges.ts';

/** The data that checks look things up in. Feeds can replace it between two requests. */
export interface CurrentData {
  readonly domainList: () => DomainList;
  readonly ipRanges: () => IpRanges;
  /** Where each part came from. */
  readonly origins: () => Readonly<Record<'domains' | 'networks', 'bundled' | 'refreshed'>>;
  /** Loads new data that a refresh has written. */
  readonly reload: () => Promise<void>;
  readonly close: () => void;
}

export interface CurrentDataOptions {
  /** The folder with the data compiled from the bundled sources. */
  readonly bundledFolder: URL;
  /** The folder with refreshed data. `undefined` means only the bundled data. */
  readonly refreshedFolder: string | undefined;
  readonly onSwap: (list: 'domains' | 'networks', version: string) => void;
  /** Called if a refreshed file cannot be used. The current data stays in use. */
  readonly onFault: (list: 'domains' | 'networks', fault: unknown) => void;
}

const LOOK_EVERY_MS = 30_000;

/** Loads the bundled data or newer refreshed data, and watches for further refreshes. */
export async function openCurrentData(options: CurrentDataOptions): Promise<CurrentData> {
  const [domains, networks] = await Promise.all([
    openPart('domains', loadDomainList, options),
    openPart('networks', loadIpRanges, options),
  ]);
  const reload = async () => {
    await Promise.all([domains.reload(), networks.reload()]);
  };
  const timer = setInterval(() => void reload(), LOOK_EVERY_MS).unref();
  return {
    domainList: domains.current,
    ipRanges: networks.current,
    origins: () => ({ domains: domains.origin(), networks: networks.origin() }),
    reload,
    close: () => clearInterval(timer),
  };
}

interface Part<T> {
  readonly current: () => T;
  readonly origin: () => 'bundled' | 'refreshed';
  readonly reload: () => Promise<void>;
}

async function openPart<T extends { readonly version: string }>(
  list: 'domains' | 'networks',
  load: (bytes: Uint8Array) => T,
  { bundledFolder, refreshedFolder, onSwap, onFault }: CurrentDataOptions,
): Promise<Part<T>> {
  const bundledFile = new URL(`${list}.bin`, bundledFolder);
  const refreshedFile =
    refreshedFolder === undefined ? undefined : new URL(`${list}.bin`, `${pathToFileURL(refreshedFolder)}/`);

  let current: T | undefined;
  let origin: 'bundled' | 'refreshed' = 'bundled';
  let loadedAt = 0;

  async function reload(): Promise<void> {
    const at = refreshedFile === undefined ? undefined : await modifiedAt(refreshedFile);
    if (refreshedFile === undefined || at === undefined || at <= loadedAt) return;
    loadedAt = at;
    try {
      const swapped = current !== undefined;
      current = load(await readFile(refreshedFile));
      origin = 'refreshed';
      if (swapped) onSwap(list, current.version);
    } catch (fault) {
      onFault(list, fault);
    }
  }

  await reload();
  current ??= load(await readBundled(bundledFile));
  const loaded: T = current;
  return { current: () => current ?? loaded, origin: () => origin, reload };
}

async function readBundled(file: URL): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new Error('The compiled data is missing; run npm run build', { cause });
  }
}

/** When a file was last written. `undefined` if it does not exist. */
export async function modifiedAt(file: URL): Promise<number | undefined> {
  try {
    return (await stat(file)).mtimeMs;
  } catch {
    return undefined;
  }
}
