import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const repository = fileURLToPath(new URL('../../../..', import.meta.url));
export const SDK_NAMES = ['sdk', 'sdk-node', 'sdk-react-native'] as const;

const run = promisify(execFile);

/** Builds the published packages if they are out of date. Test files can call it in parallel. */
export async function ensureBuilt(): Promise<void> {
  await run(process.execPath, ['scripts/build-sdks.mjs', '--if-stale'], { cwd: repository });
}
