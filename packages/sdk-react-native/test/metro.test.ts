import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureBuilt, repository } from '../../sdk/test/support/built-sdks.ts';

const run = promisify(execFile);
/** Its types need all of Metro, so only what is used here is declared. */
const metro: {
  resolve(context: object, name: string, platform: string): { filePath: string };
} = createRequire(import.meta.url)('metro-resolver');

let app: string;
let installed: string;

beforeAll(async () => {
  await ensureBuilt();
  app = await realpath(await mkdtemp(join(tmpdir(), 'postern-metro-')));
  await run(process.execPath, ['scripts/pack-sdks.mjs', '--output', join(app, 'sdk')], { cwd: repository });
  installed = join(app, 'node_modules/postern~sdk-react-native');
  await mkdir(installed, { recursive: true });
  const { version } = JSON.parse(
    readFileSync(join(repository, 'packages/sdk-react-native/package.json'), 'utf8'),
  );
  const tarball = join(app, 'sdk', `postern-sdk-react-native-${version}.tgz`);
  await run('tar', ['xzf', tarball, '-C', installed, '--strip-components=1']);
});
afterAll(() => rm(app, { recursive: true, force: true }));

/** Resolves as Metro does in an app, with the settings of `metro-config`’s defaults. */
function resolve(name: string, readsExports: boolean): string {
  const manifest = join(installed, 'package.json');
  const context = {
    allowHaste: false,
    assetExts: new Set(['png']),
    customResolverOptions: {},
    dev: true,
    disableHierarchicalLookup: false,
    doesFileExist: (path: string) => existsSync(path) && statSync(path).isFile(),
    extraNodeModules: null,
    isESMImport: true,
    fileSystemLookup: (path: string) =>
      existsSync(path)
        ? { exists: true, type: statSync(path).isFile() ? 'f' : 'd', realPath: path }
        : { exists: false },
    getPackage: (path: string) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null),
    getPackageForModule: (path: string) =>
      path.startsWith(installed)
        ? {
            rootPath: installed,
            packageJson: JSON.parse(readFileSync(manifest, 'utf8')),
            packageRelativePath: path.slice(installed.length + 1),
          }
        : null,
    mainFields: ['react-native', 'browser', 'main'],
    nodeModulesPaths: [],
    originModulePath: join(app, 'app.js'),
    preferNativePlatform: true,
    resolveAsset: () => null,
    resolveHasteModule: () => undefined,
    resolveHastePackage: () => undefined,
    sourceExts: ['js', 'jsx', 'json', 'ts', 'tsx'],
    unstable_conditionNames: ['react-native'],
    unstable_conditionsByPlatform: { web: ['browser'] },
    unstable_enablePackageExports: readsExports,
    unstable_logWarning: (warning: string) => {
      throw new Error(warning);
    },
  };
  const { filePath } = metro.resolve(context, name, 'ios');
  return filePath.slice(installed.length + 1);
}

it.each([
  // Since 0.82 Metro reads `exports` by default. Before, it read `main` and file names.
  ['exports', 'postern~sdk-react-native', 'index.js'],
  ['exports', 'postern~sdk-react-native/expo', 'expo.js'],
  ['exports', 'postern~sdk-react-native/react', 'react.js'],
  ['exports', 'postern~sdk-react-native/device-info', 'device-info.js'],
  ['main', 'postern~sdk-react-native', 'cjs/index.js'],
  ['main', 'postern~sdk-react-native/expo', 'expo.js'],
  ['main', 'postern~sdk-react-native/react', 'react.js'],
  ['main', 'postern~sdk-react-native/device-info', 'device-info.js'],
])('Metro that reads `%s` finds %s', (field, name, file) => {
  expect(resolve(name, field === 'exports')).toBe(file);
});
