import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startService } from '../../packages/service/test/support/service.ts';

export { freePort } from '../../packages/service/test/support/free-port.ts';

/** Runs a program to its end. A failure has `stdout` and `stderr`. */
export const run = promisify(execFile);

/** A real service on loopback with one project. */
export async function openService(settings) {
  const service = await startService();
  return { service, project: await service.makeProject(settings), close: () => service.close() };
}

const MANIFEST = new URL('../../packages/service/dist/sdk/manifest.json', import.meta.url);

/** The address of an SDK’s archive, as the service serves it. */
export function archiveUrl(service, sdk) {
  const { version } = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  return `${service.url}/sdk/postern-${sdk}-${version}.tgz`;
}

/** A new project in a folder of its own, with these files beside its package.json. */
export async function inProject(files, work) {
  const folder = await mkdtemp(join(tmpdir(), 'postern-try-'));
  try {
    const manifest = { name: 'consumer', version: '1.0.0', private: true };
    const all = { 'package.json': JSON.stringify(manifest), ...files };
    for (const [file, text] of Object.entries(all)) await writeFile(join(folder, file), text);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

export function install(folder, packages) {
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps'];
  return run('npm', ['install', ...flags, ...packages], { cwd: folder, timeout: 300_000 });
}
