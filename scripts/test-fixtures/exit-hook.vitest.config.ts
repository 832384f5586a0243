import { mergeConfig } from 'vitest/config';
import fixtureConfig from './vitest.config.ts';

/** A runner in which a library ends the process with status 0, whatever the tests said. */
export default mergeConfig(fixtureConfig, { test: { globalSetup: ['scripts/test-fixtures/exit-hook.ts'] } });
