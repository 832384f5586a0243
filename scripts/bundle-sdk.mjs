// The steps that building and packing the SDKs share.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from './checkout.mjs';

const require = createRequire(import.meta.url);

/** Our own packages by their sources, for bundles that include them. */
export const OWN_SOURCES = {
  '@postern/contract': join(ROOT, 'packages/contract/src/index.ts'),
  'postern~sdk/core': join(ROOT, 'packages/sdk/src/core.ts'),
};

/** The code of `postern.js`, the single file for plain pages. It includes everything, also the fingerprint library. */
export async function bundlePageScript() {
  const build = await rolldown({
    cwd: join(ROOT, 'packages/sdk'),
    input: 'src/page.ts',
    platform: 'browser',
    tsconfig: false,
    resolve: { alias: OWN_SOURCES },
    // The site has no bundler of its own.
    transform: { target: 'es2020' },
  });
  const { output } = await build.generate({
    format: 'iife',
    name: 'Postern',
    minify: true,
    codeSplitting: false,
    postBanner: fingerprintLicence(),
  });
  await build.close();
  return output[0].code;
}

/** The library’s licence requires its notice in every copy, and minifying removes comments. */
function fingerprintLicence() {
  const source = readFileSync(require.resolve('@fingerprintjs/fingerprintjs/dist/fp.esm.js'), 'utf8');
  return source.slice(0, source.indexOf('*/') + 2);
}
