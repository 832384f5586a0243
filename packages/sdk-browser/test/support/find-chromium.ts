import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';

export interface Installation {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

const run = promisify(execFile);
const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const APT_TIMEOUT_MS = 15 * 60_000;

/** The Chromium that CHROMIUM_PATH names, else the npm package’s, else an installed one. Installs nothing. */
export async function findChromium(): Promise<Installation | undefined> {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && named !== '') return { executablePath: named, env: {} };
  return (await npmChromium()) ?? installedChromium();
}

/**
 * Installs Debian’s Chromium if there is none, in CI and as root only. The global setup calls this before any test
 * file runs: apt allows one run at a time, and takes longer than a hook may.
 */
export async function installChromium(): Promise<void> {
  if (!process.env.CI || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  const options = { timeout: APT_TIMEOUT_MS, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  process.stderr.write('Installing Chromium with apt-get…\n');
  try {
    // A fresh image has no package lists.
    await run('apt-get', ['update'], options);
    await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options);
  } catch (error) {
    process.stderr.write(`Chromium could not be installed: ${String(error)}\n`);
  }
}

function installedChromium(): Installation | undefined {
  const executablePath = INSTALLED.find((path) => existsSync(path));
  return executablePath === undefined ? undefined : { executablePath, env: {} };
}

/**
 * The binary of `@sparticuz/chromium`, unpacked once per version into a folder of our own. Its own unpacking
 * writes to fixed places and races when test files run side by side; a rename does not.
 */
async function npmChromium(): Promise<Installation | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const packageFolder = npmPackageFolder();
  if (packageFolder === undefined) return undefined;
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const folder = join(tmpdir(), `postern-chromium-${version}-${process.getuid?.() ?? 0}`);
  if (!existsSync(folder)) await unpack(join(packageFolder, 'bin'), folder);
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: join(folder, 'fonts') },
  };
}

function npmPackageFolder(): string | undefined {
  try {
    const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
    return join(dirname(entry), '../..');
  } catch {
    return undefined;
  }
}

async function unpack(bin: string, folder: string): Promise<void> {
  const part = `${folder}.${process.pid}.part`;
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true, mode: 0o700 });
  await inflate(join(bin, 'chromium.br'), join(part, 'chromium'));
  await chmod(join(part, 'chromium'), 0o700);
  for (const [name, target] of [
    ['al2023', 'al2023'],
    ['fonts', 'fonts'],
    ['swiftshader', '.'],
  ] as const) {
    const archive = join(part, `${name}.tar`);
    await inflate(join(bin, `${name}.tar.br`), archive);
    await mkdir(join(part, target), { recursive: true });
    await run('tar', ['-xf', archive, '-C', join(part, target)]);
    await rm(archive);
  }
  // The package’s own file names folders of another machine; without any font Chromium ends itself.
  await writeFile(join(part, 'fonts/fonts.conf'), fontsConf(join(folder, 'fonts')));
  // If another process was faster, its folder is used.
  await rename(part, folder).catch(() => rm(part, { recursive: true, force: true }));
}

function fontsConf(folder: string): string {
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}</dir><cachedir>${folder}/cache</cachedir></fontconfig>
`;
}

function inflate(source: string, target: string): Promise<void> {
  return pipeline(createReadStream(source), createBrotliDecompress(), createWriteStream(target));
}
