import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run, say, Trouble } from './checkout.mjs';

const LIMIT_MS = 10 * 60_000;

/**
 * Measures what a new user waits for: from `npm start` in a fresh clone of the last commit to the answer of the
 * `curl` that it prints, and from a second start to ready.
 */
await run(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-first-answer-'));
  try {
    const clone = spawnSync('git', ['clone', '--quiet', ROOT, folder], { stdio: 'inherit' });
    if (clone.status !== 0) throw new Trouble('git clone failed.');
    const first = await start(folder);
    const answer = spawnSync('sh', ['-c', first.curl], { encoding: 'utf8' });
    const firstMs = Date.now() - first.startedAt;
    const { recommendation } = JSON.parse(answer.stdout);
    await first.stop();
    const second = await start(folder);
    await second.stop();
    console.log(
      `npm start to the pasted curl’s answer (${recommendation}): ${(firstMs / 1000).toFixed(1)} s`,
    );
    console.log(`second npm start to ready: ${(second.readyMs / 1000).toFixed(2)} s`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

async function start(folder) {
  const port = await freePort();
  const startedAt = Date.now();
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...process.env, POSTERN_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that the service behind npm and the shell gets the signal as well.
    detached: true,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  }
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await ready(port, child, () => printed);
  return {
    startedAt,
    readyMs: Date.now() - startedAt,
    curl: /curl [\s\S]*?'\{.*?\}'/.exec(printed)?.[0] ?? 'false',
    stop: async () => {
      process.kill(-child.pid, 'SIGTERM');
      await ended;
    },
  };
}

async function ready(port, child, printed) {
  const until = Date.now() + LIMIT_MS;
  while (Date.now() < until) {
    if (child.exitCode !== null) throw new Trouble(`npm start ended:\n${printed()}`);
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  say(printed());
  throw new Trouble('npm start was not ready in ten minutes.');
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
