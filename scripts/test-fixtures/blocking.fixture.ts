import { writeFileSync } from 'node:fs';
import { test } from 'vitest';

// No timer can end this test, so only the limit of the whole run does. The file tells the meta-test which process to
// look for.
test('never gives control back', () => {
  const pidFile = process.env.TEST_FIXTURE_PID_FILE;
  if (pidFile !== undefined) writeFileSync(pidFile, String(process.pid));
  for (;;);
});
