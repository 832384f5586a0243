import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import type { Installation } from './find-chromium.ts';

/**
 * The binary of `@sparticuz/chromium`, unpacked once per version into a folder of our own. Its own unpacking
 * writes to fixed places and races when test files run side by side; a rename does not.
 */
export async function npmChromium(): Promise<Installation | undefined> {
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
    await promisify(execFile)('tar', ['-xf', archive, '-C', join(part, target)]);
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
