import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type OutputChunk, rolldown } from 'rolldown';

const packages = fileURLToPath(new URL('../../..', import.meta.url));
const versions = {
  18: createRequire(new URL('../../package.json', import.meta.url)),
  19: createRequire(new URL('../../../dashboard/package.json', import.meta.url)),
} as const;

/** Bundles a file of this folder with that version of React. */
export async function buildApp(
  version: 18 | 19,
  file: string,
  platform: 'browser' | 'node' = 'browser',
): Promise<OutputChunk[]> {
  const from = versions[version];
  const react = from.resolve('react/package.json').replace('/package.json', '');
  const reactDom = from.resolve('react-dom/package.json').replace('/package.json', '');
  const alias = {
    '@postern/sdk-core': `${packages}sdk-core/src/index.ts`,
    '@postern/sdk-browser': `${packages}sdk-browser/src/index.ts`,
    '@postern/sdk-react': `${packages}sdk-react/src/index.ts`,
    react,
    'react-dom': reactDom,
  };
  const build = await rolldown({
    input: `${packages}sdk-react/test/support/${file}`,
    platform,
    resolve: { alias },
    tsconfig: false,
    transform: { define: { 'process.env.NODE_ENV': '"development"' } },
  });
  const { output } = await build.generate({ format: 'esm', chunkFileNames: '[name].js' });
  await build.close();
  return output.filter((part) => part.type === 'chunk');
}
