import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { expect, it } from 'vitest';

const LOG = new URL('../dist/log.js', import.meta.url).href;

/** Writes lines, some of them while earlier ones could not be written, and exits. */
const SCRIPT = (logFormat: string) => `
  const { createLog } = await import(${JSON.stringify(LOG)});
  const log = createLog({ logLevel: 'info', logFormat: '${logFormat}' });
  log.info('one');
  process.stdout.write('a welcome\\n');
  setTimeout(() => {
    log.info('two');
    log.fatal('three');
    setTimeout(() => process.exit(7), 100);
  }, 300);
`;

it.skipIf(!existsSync('/dev/full')).each(['json', 'text'])(
  'a log of %s on a full disk neither stops the service nor keeps it from ending',
  (logFormat) => {
    const full = openSync('/dev/full', 'w');
    const args = ['--input-type=module', '-e', SCRIPT(logFormat)];
    const ended = spawnSync(process.execPath, args, { stdio: ['ignore', full, 'pipe'], timeout: 60_000 });
    closeSync(full);
    expect([ended.status, ended.stderr.toString()]).toEqual([7, '']);
  },
);
