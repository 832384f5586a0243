import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string) => fileURLToPath(new URL(`./packages/${path}`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@postern\/contract\/(.*)$/, replacement: source('contract/src/$1.ts') },
      { find: /^@postern\/contract$/, replacement: source('contract/src/index.ts') },
      { find: /^@postern\/(sdk-[a-z-]+)$/, replacement: source('$1/src/index.ts') },
      { find: /^@postern\/sdk-react-native\/(.*)$/, replacement: source('sdk-react-native/src/$1.ts') },
      { find: /^@postern\/service\/(.*)$/, replacement: source('service/src/$1.ts') },
    ],
  },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'scripts/**/*.test.ts',
      'fuzz/**/*.test.ts',
      'bench/**/*.test.ts',
    ],
    globalSetup: ['scripts/chromium-setup.mjs', 'packages/service/test/support/shared-postgres.ts'],
    // Tests mostly wait for processes, disks and timers: three files at a time fill two cores.
    maxWorkers: 3,
    // Long enough for a machine with eight busy loops on two cores; a test that hangs still ends.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', './scripts/closing-line-reporter.mjs'],
  },
});
