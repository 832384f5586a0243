import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const repository = fileURLToPath(new URL('../../../..', import.meta.url));
export const SDK_NAMES = ['sdk-core', 'sdk-browser', 'sdk-react', 'sdk-react-native', 'sdk-node'] as const;

const run = promisify(execFile);

/** The packages as they are published, built unless they are fresh. Test files may call it side by side. */
export async function ensureBuilt(): Promise<void> {
  await run(process.execPath, ['scripts/build-sdks.mjs', '--if-stale'], { cwd: repository });
}
