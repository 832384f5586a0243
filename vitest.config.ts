import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

const source = (path: string) => fileURLToPath(new URL(`./packages/${path}`, import.meta.url));

/** Many rows or many processes. `TEST_SLOW=1 npm test` runs these too, and so does naming one; the hosted CI sets it. */
const SLOW = Object.entries({
  'packages/cli/test': 'feeds',
  'packages/dashboard/test': 'campaign-at-scale two-people',
  'packages/sdk/test': 'example-command',
  'packages/service/test':
    'campaigns-at-scale docs-site feeds-killed feeds-memory guides numbers-agree rules-replay shared-signing-keys ' +
    'store-postgres-disk store-postgres-failover time-machine-sample upgrade-postgres webhooks-crash webhooks-receivers ' +
    'webhooks-switch-off',
  scripts: 'code-blocks docs-pages test-command',
}).flatMap(([folder, names]) => names.split(' ').map((name) => `${folder}/${name}.test.ts`));
/** These replace modules, or parts of Node itself. */
const REPLACING = [
  'packages/sdk-react-native/test/**/*.test.ts',
  'packages/service/test/store-{postgres,sqlite}.test.ts',
];
const isNamed = (file: string) =>
  process.argv.some((word) => word.endsWith('.test.ts') && file.endsWith(word));
const leftOut = process.env.TEST_SLOW === '1' ? [] : SLOW.filter((file) => !isNamed(file));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@postern\/contract\/(.*)$/, replacement: source('contract/src/$1.ts') },
      { find: /^@postern\/contract$/, replacement: source('contract/src/index.ts') },
      { find: /^postern~(sdk[a-z-]*)$/, replacement: source('$1/src/index.ts') },
      { find: /^postern~(sdk[a-z-]*)\/(.*)$/, replacement: source('$1/src/$2.ts') },
      { find: /^@postern\/service\/(.*)$/, replacement: source('service/src/$1.ts') },
    ],
  },
  test: {
    projects: [
      // The files of these three share their worker’s modules: starting afresh for each takes twice the CPU.
      {
        extends: true,
        test: { name: 'units', include: ['packages/*/src/**/*.test.ts'], isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'requests',
          include: ['packages/{cli,service}/test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...leftOut, ...REPLACING],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          // And their worker’s browser.
          name: 'pages',
          include: [
            'packages/{dashboard,sdk,sdk-node}/test/**/*.test.ts',
            '{scripts,fuzz,bench}/**/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, ...leftOut],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'replacing', include: REPLACING, exclude: [...configDefaults.exclude, ...leftOut] },
      },
    ],
    // What is built is loaded by Node itself: nothing in it needs to be transformed.
    server: { deps: { external: [/\/packages\/(cli|contract|service)\/dist\//] } },
    globalSetup: ['packages/service/test/support/test-needs.ts'],
    runner: fileURLToPath(new URL('./packages/service/test/support/needs-runner.ts', import.meta.url)),
    // Tests mostly wait for processes, disks and timers: three files at a time fill two cores. Four take as long.
    maxWorkers: 3,
    // Long enough for a machine with eight busy loops on two cores; a test that hangs still ends.
    testTimeout: 240_000,
    hookTimeout: 300_000,
    // In CI, a busy moment of its machine does not stop a change. The closing lines name the test, to be mended.
    retry: process.env.CI === 'true' ? 1 : 0,
    expect: { poll: { timeout: 120_000 } },
    reporters: ['default', './scripts/closing-line-reporter.mjs'],
  },
});
