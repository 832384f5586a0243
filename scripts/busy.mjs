import { spawn } from 'node:child_process';

const USAGE = 'Usage: node scripts/busy.mjs LOOPS -- COMMAND [ARGUMENT …]';

/**
 * Runs a command while busy loops compete for the processor: `node scripts/busy.mjs 8 -- npm test`. The exit status is
 * the command’s own.
 */
const [count, separator, command, ...args] = process.argv.slice(2);
const loops = Number(count);
if (!Number.isInteger(loops) || loops < 1 || loops > 256 || separator !== '--' || command === undefined) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(2);
}

// A loop ends by itself when its pipe to this process closes, even if this process is killed.
const LOOP = `
  process.stdin.on('end', () => process.exit()).resume();
  (function spin() {
    const until = Date.now() + 50;
    while (Date.now() < until);
    setImmediate(spin);
  })();
`;
const busy = Array.from({ length: loops }, () =>
  spawn(process.execPath, ['-e', LOOP], { stdio: ['pipe', 'ignore', 'inherit'] }),
);

const child = spawn(command, args, { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
const status = await new Promise((resolve) => {
  child.once('error', (error) => {
    process.stderr.write(`postern: ${command} could not be started: ${error.message}\n`);
    resolve(127);
  });
  child.once('close', (code) => resolve(code ?? 1));
});
for (const loop of busy) loop.kill('SIGKILL');
process.exitCode = status;
