import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('has the icons that its pages import, as lucide-react draws them', async () => {
  const script = fileURLToPath(new URL('../../../scripts/icons.mjs', import.meta.url));
  const { stderr } = await promisify(execFile)(process.execPath, [script, '--check']);
  expect(stderr).toMatch(/^\d\d icons\n$/);
});
