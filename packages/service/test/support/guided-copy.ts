import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const PACKAGES = ['contract', 'service', 'cli', 'dashboard'];
const DOCS = ['docs', 'examples', 'scripts', 'ARCHITECTURE.md', 'CHANGELOG.md'];
const run = promisify(execFile);

/** Where a code block of a guide goes. */
export interface Edit {
  readonly file: string;
  /** The code after which it is inserted. Without it, the block is a new file. */
  readonly after?: string | RegExp;
  /** The block replaces that code. */
  readonly replaces?: true;
}

/** A copy of the packages that the guides change, with the same dependencies and without tests. */
export async function copyPackages(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'postern-guides-'));
  for (const name of PACKAGES) {
    await cp(join(ROOT, 'packages', name), join(copy, 'packages', name), {
      recursive: true,
      filter: (path) => !/[/\\](node_modules|test)$|\.tsbuildinfo$|\.test\.ts$/.test(path),
    });
  }
  for (const path of ['tsconfig.base.json', 'package.json', ...DOCS]) {
    await cp(join(ROOT, path), join(copy, path), { recursive: true });
  }
  // The docs quote these files of the other packages.
  for (const name of await readdir(join(ROOT, 'packages'))) {
    for (const file of ['README.md', 'package.json']) {
      const path = join('packages', name, file);
      if (existsSync(join(ROOT, path))) await cp(join(ROOT, path), join(copy, path));
    }
  }
  await linkModules(copy);
  return copy;
}

async function linkModules(copy: string): Promise<void> {
  await mkdir(join(copy, 'node_modules/@postern'), { recursive: true });
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    if (name !== '@postern')
      await symlink(join(ROOT, 'node_modules', name), join(copy, 'node_modules', name));
  }
  for (const name of PACKAGES) {
    await symlink(join(copy, 'packages', name), join(copy, 'node_modules/@postern', name));
    const own = join('packages', name, 'node_modules');
    if (existsSync(join(ROOT, own))) await symlink(join(ROOT, own), join(copy, own));
  }
}

/** Makes the edits of a guide, whose TypeScript blocks are in the same order. Fails if it has more or fewer. */
export async function followGuide(copy: string, guide: string, edits: readonly Edit[]): Promise<void> {
  const text = await readFile(join(ROOT, 'docs/contributing', guide), 'utf8');
  const blocks = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, block = '']) => block);
  if (blocks.length !== edits.length)
    throw new Error(`${guide} has ${blocks.length} blocks, and its test knows ${edits.length}`);
  for (const [index, edit] of edits.entries()) await apply(copy, edit, blocks[index] ?? '');
}

async function apply(copy: string, { file, after, replaces }: Edit, block: string): Promise<void> {
  const path = join(copy, 'packages', file);
  if (after === undefined) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, block);
    return;
  }
  const before = await readFile(path, 'utf8');
  const changed = before.replace(after, (found) => (replaces ? block : found + block));
  if (changed === before) throw new Error(`${file} has no ${after}`);
  await writeFile(path, changed);
}

/** Checks and compiles what the guides changed, the dashboard included, and bundles the service. */
export async function compile(copy: string): Promise<void> {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  for (const args of [
    [tsc, '-b', 'packages/cli'],
    [tsc, '-p', 'packages/dashboard'],
    ['scripts/compile-code.mjs', 'contract', 'service', 'cli'],
    ['scripts/bundle-service.mjs'],
  ]) {
    await run(process.execPath, args, { cwd: copy }).catch((error) => {
      throw new Error(`The guides’ code does not compile:\n${error.stdout}${error.stderr}`);
    });
  }
}

/** Runs the copy’s command line and returns what it printed. */
export async function posternOf(
  copy: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const program = join(copy, 'run-postern.mjs');
  await writeFile(
    program,
    "import { main } from './packages/cli/dist/main.js';\nprocess.exitCode = await main();\n",
  );
  const { stdout } = await run(process.execPath, [program, ...args], { env: { ...process.env, ...env } });
  return stdout;
}
