import { serveWith } from './serve.ts';
import { startFailure } from './start-failure.ts';

try {
  await serveWith();
} catch (error) {
  process.stderr.write(`postern: ${startFailure(error)}\n`);
  process.exit(1);
}
