import { mkdir, rename, writeFile } from 'node:fs/promises';
import { compileBundledDomains } from './bundled-domains.ts';
import { compileBundledNetworks } from './bundled-networks.ts';

/** Compiles what the npm packages carry into the files that the service loads at start. A step of the build. */
const folder = new URL('../data/', import.meta.url);

/** Written beside and renamed: a build that is broken off leaves no half file under the name. */
async function write(name: string, bytes: Uint8Array): Promise<void> {
  const part = new URL(`${name}.${process.pid}.part`, folder);
  await writeFile(part, bytes);
  await rename(part, new URL(name, folder));
}

await mkdir(folder, { recursive: true });
await write('domains.bin', await compileBundledDomains());
await write('networks.bin', await compileBundledNetworks());
