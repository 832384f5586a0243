import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { compileBundledDomains } from './bundled-domains.ts';

/** Compiles what the npm packages carry into the files that the service loads at start. A step of the build. */
const folder = new URL('../data/', import.meta.url);

async function write(name: string, bytes: Uint8Array): Promise<void> {
  await writeFile(new URL(name, folder), bytes);
}

await mkdir(folder, { recursive: true });
await write('domains.bin', await compileBundledDomains());

const networks = new URL(import.meta.url.replace('compile-bundled', 'bundled-networks'));
if (existsSync(networks)) {
  const { compileBundledNetworks } = (await import(networks.href)) as {
    readonly compileBundledNetworks: () => Promise<Uint8Array>;
  };
  await write('networks.bin', await compileBundledNetworks());
}
