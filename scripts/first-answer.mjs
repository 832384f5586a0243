/**
 * Measures how long a new user waits: a fresh clone in a temporary folder, `npm start`, the printed curl command.
 * Prints the seconds to the first answer, then those of a second start. `node scripts/first-answer.mjs`
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'postern-first-'));
const clone = join(folder, 'postern');
const environment = { ...process.env, POSTERN_PORT: '0', POSTERN_LOG_FORMAT: 'json' };

/** Starts the service and waits for `pattern` in what it prints. */
function start(pattern) {
  const child = spawn('npm', ['start'], { cwd: clone, env: environment, detached: true });
  const found = new Promise((resolve, reject) => {
    let printed = '';
    const read = (chunk) => {
      printed += chunk;
      const match = pattern.exec(printed);
      if (match !== null) resolve(match);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${printed}`)));
  });
  const stop = async () => {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    process.kill(-child.pid, 'SIGTERM');
    await exited;
  };
  return { found, stop };
}

const seconds = (since) => ((performance.now() - since) / 1000).toFixed(1);

try {
  execFileSync('git', ['clone', '--quiet', checkout, clone]);
  const begun = performance.now();
  const first = start(/curl -s[\s\S]*?'\{.*\}'/);
  const [curl] = await first.found;
  const answer = execFileSync('bash', ['-c', curl]).toString();
  const { recommendation } = JSON.parse(answer);
  console.log(`first answer (${recommendation}) after ${seconds(begun)} s, install and build included`);
  await first.stop();
  const again = performance.now();
  const second = start(/Postern is ready/);
  await second.found;
  console.log(`second start ready after ${seconds(again)} s`);
  await second.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
