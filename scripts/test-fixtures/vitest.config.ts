import { defineConfig, mergeConfig } from 'vitest/config';
import projectConfig from '../../vitest.config.ts';

/** The project’s own configuration with other files and shorter limits. Only `test-command.test.ts` uses it. */
const config = mergeConfig(
  projectConfig,
  defineConfig({ test: { testTimeout: 500, hookTimeout: 500, teardownTimeout: 500 } }),
);
// The projects would each run the fixtures.
config.test = { ...config.test, projects: undefined, include: ['scripts/test-fixtures/*.fixture.ts'] };

export default config;
