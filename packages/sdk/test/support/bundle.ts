import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type OutputChunk, rolldown } from 'rolldown';
import { OWN_SOURCES } from './framework-apps.ts';

const packages = fileURLToPath(new URL('../../..', import.meta.url));

/** Bundles like an app’s own bundler: everything included, minified, dynamic imports in their own chunks. */
export async function bundle(
  input: string,
  platform: 'browser' | 'node' = 'browser',
): Promise<OutputChunk[]> {
  const build = await rolldown({
    input,
    platform,
    resolve: { alias: OWN_SOURCES },
    tsconfig: false,
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  });
  const { output } = await build.generate({ format: 'esm', minify: true, chunkFileNames: '[name].js' });
  await build.close();
  return output.filter((part) => part.type === 'chunk');
}

/** The one file for a plain page, as the build makes it. */
export async function bundlePageScript(): Promise<string> {
  const build = await rolldown({
    input: `${packages}sdk/src/page.ts`,
    platform: 'browser',
    resolve: { alias: OWN_SOURCES },
    tsconfig: false,
  });
  const options = { format: 'iife', name: 'Postern', minify: true, codeSplitting: false } as const;
  const { output } = await build.generate(options);
  await build.close();
  return output[0].code;
}

export function gzippedBytes(code: string): number {
  return gzipSync(code, { level: 9 }).length;
}
