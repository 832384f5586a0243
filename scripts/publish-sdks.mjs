// npm run publish:sdks -- --scope @example [--dry-run]: packs the SDKs under the owner’s npm scope and publishes them, in the workflow
// `publish.yml` with provenance. docs/decisions/0013-package-names.md says why the names differ from those in the repository.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npmCommand, ROOT } from './checkout.mjs';

const scope = process.argv[process.argv.indexOf('--scope') + 1];
if (!process.argv.includes('--scope') || !/^@[a-z0-9][a-z0-9-]*$/.test(scope ?? '')) {
  console.error('Usage: npm run publish:sdks -- --scope @your-scope [--dry-run]');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'postern-publish-'));
const run = (command, args) => execFileSync(command, args, { cwd: ROOT, stdio: 'inherit' });
try {
  run(process.execPath, ['scripts/pack-sdks.mjs', '--output', folder, '--scope', scope]);
  // npm signs where the package was built, which works only in a hosted workflow.
  const flags = [
    ...(process.env.GITHUB_ACTIONS ? ['--provenance'] : []),
    ...(process.argv.includes('--dry-run') ? ['--dry-run'] : []),
  ];
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.tgz'))) {
    run(...npmCommand(['publish', join(folder, file), '--access', 'public', ...flags]));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
