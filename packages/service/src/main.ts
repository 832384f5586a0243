import { ConfigError, readConfig } from './config.ts';
import { serve } from './serve.ts';
import { StoreUnavailable } from './store/store.ts';

try {
  await serve(readConfig());
} catch (error) {
  // This is for people: it says what is wrong and what to do. It shows a stack only for bugs.
  const expected =
    error instanceof ConfigError ||
    error instanceof StoreUnavailable ||
    (error instanceof Error && error.cause !== undefined);
  process.stderr.write(
    `postern: ${error instanceof Error ? (expected ? error.message : error.stack) : String(error)}\n`,
  );
  process.exit(1);
}
