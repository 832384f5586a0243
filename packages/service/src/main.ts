import { readConfig } from './config.ts';
import { serve } from './serve.ts';
import { startFailure } from './start-failure.ts';

try {
  await serve(readConfig());
} catch (error) {
  process.stderr.write(`postern: ${startFailure(error)}\n`);
  process.exit(1);
}
