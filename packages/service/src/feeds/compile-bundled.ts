import { mkdir, rename, writeFile } from 'node:fs/promises';
import { compileBundledDomains } from './bundled-domains.ts';
import { compileBundledNetworks } from './bundled-networks.ts';

/** Compiles the data of the npm packages into the files that the service loads at start. A build step. */
const folder = new URL('../data/', import.meta.url);

/** Written to a temporary file and renamed, so that an interrupted build leaves no partial file. */
async function write(name: string, bytes: Uint8Array): Promise<void> {
  const part = new URL(`${name}.${process.pid}.part`, folder);
  await writeFile(part, bytes);
  await rename(part, new URL(name, folder));
}

await mkdir(folder, { recursive: true });
await write('domains.bin', await compileBundledDomains());
await write('networks.bin', compileBundledNetworks());
