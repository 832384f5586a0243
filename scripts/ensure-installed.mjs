import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute, folderFault, isDiskFull, npmCommand, Refusal, ROOT, say, withLock } from './checkout.mjs';

/**
 * Installs the packages of the lockfile that node_modules lacks. npm writes its own record of the installed packages
 * last. Comparing it with the lockfile also detects an interrupted install and needs no extra marker.
 * `folder` is one with a lockfile of its own, for packages that only one command needs (`eval`, `bench`).
 */
export async function ensureInstalled({ dev, folder = '' }) {
  const cwd = join(ROOT, folder);
  const missing = () => missingPackages(wantedPackages(cwd), installedPackages(cwd), dev);
  if (missing().length === 0) return;
  await withLock(async () => {
    const names = missing();
    if (names.length > 0) await install(names, dev, cwd);
  });
}

async function install(missing, dev, cwd) {
  // `npm ci` starts from an empty folder, so a developer’s install must be repeated with dev dependencies.
  const full = dev || hasDevelopersTools(wantedPackages(cwd), installedPackages(cwd));
  say(
    existsSync(join(cwd, 'node_modules'))
      ? `Updating dependencies (${missing.length} missing or outdated)…`
      : 'Installing dependencies (first start only)…',
  );
  // npm’s own pauses between attempts keep a machine without a network silent for minutes.
  const pauses = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
  const args = [
    'ci',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...pauses,
    ...(full ? [] : ['--omit=dev']),
  ];
  const { code, text } = await execute(...npmCommand(args), { output: 'quiet', cwd });
  if (code !== 0) throw new Refusal(explain(text));
}

/** The packages of the lockfile that are not installed in the version it asks for. */
export function missingPackages(wanted, installed, dev) {
  return Object.entries(wanted)
    .filter(([path, entry]) => path.includes('node_modules/') && isNeeded(entry, dev))
    .filter(([path, entry]) => {
      const found = installed[path];
      return found === undefined || (!entry.link && found.version !== entry.version);
    })
    .map(([path]) => path);
}

/** Optional packages are often for other platforms. npm handles those. */
function isNeeded(entry, dev) {
  if (entry.optional || entry.peer) return false;
  return dev || !(entry.dev || entry.devOptional);
}

/** Whether dev dependencies are installed. */
export function hasDevelopersTools(wanted, installed) {
  return Object.entries(wanted).some(([path, entry]) => entry.dev && installed[path] !== undefined);
}

function wantedPackages(cwd) {
  const wanted = readLock(join(cwd, 'package-lock.json'));
  if (wanted === undefined)
    throw new Refusal('package-lock.json is missing; this is not a complete checkout.');
  return wanted;
}

function installedPackages(cwd) {
  return readLock(join(cwd, 'node_modules', '.package-lock.json')) ?? {};
}

function readLock(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

const NETWORK_FAULTS = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|ENETUNREACH/;

/** One sentence for a cause that the user can remove, from npm’s output. Otherwise its last lines. */
export function explain(text) {
  const [, path] = /^npm error path (.+)$/m.exec(text) ?? [];
  const [, reason] = /reason: (.+)/.exec(text) ?? [];
  const sentence =
    folderFault(isDiskFull() ? 'ENOSPC' : text, path) ??
    (NETWORK_FAULTS.test(text)
      ? `The package registry cannot be reached${reason === undefined ? '' : ` (${reason})`}. Check the connection or proxy, then run the command again.`
      : `Run \`npm ci\` to see the full output:\n${text.trim().split('\n').slice(-15).join('\n')}`);
  return `Dependencies could not be installed. ${sentence}`;
}
