import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { nativeRuns } from '../../sdk-react-native/test/support/readme-runs.ts';
import { ensureBuilt, repository } from './support/built-sdks.ts';
import { launchChromium } from './support/chromium.ts';
import { pageRuns } from './support/readme-page-runs.ts';
import { serverRuns } from './support/readme-server-runs.ts';
import { type ReadmeSetup, THROWAWAY } from './support/readme-setup.ts';
import { readSnippets, writeSnippets } from './support/readme-snippets.ts';
import { allowed, blocked, type StubRequest, startStubService } from './support/stub-service.ts';

const PROJECT = 'demo';
const byAddress = ({ body }: StubRequest) => (body.email === THROWAWAY ? blocked() : allowed());
const setup = {} as { -readonly [Key in keyof ReadmeSetup]: ReadmeSetup[Key] };
setup.snippets = readSnippets();
setup.verdict = (email, claims) => setup.service.signVerdict({ email, aud: PROJECT, ...claims });

beforeAll(async () => {
  await ensureBuilt();
  [setup.folder, setup.browser] = await Promise.all([writeSnippets(setup.snippets), launchChromium()]);
});
afterAll(async () => {
  await setup.browser.close();
  await setup.folder.remove();
});
// Each run has its own service, because a page of an earlier run may still be asking.
beforeEach(async () => {
  setup.answer = byAddress;
  setup.service = await startStubService((request) => setup.answer(request));
});
afterEach(() => setup.service.close());

/** A snippet without an entry fails the test below. */
const runs = { ...pageRuns(setup), ...nativeRuns(setup), ...serverRuns(setup) };

it.each(setup.snippets.map(({ id }) => id))('%s runs and does what the README says', async (id) => {
  const run = runs[id];
  if (run === undefined) throw new Error(`There is no run for ${id}`);
  await run();
});

it('every run has a snippet', () => {
  expect(Object.keys(runs).sort()).toEqual(setup.snippets.map(({ id }) => id).sort());
});

it('the snippets compile, and so do the SDKs’ declarations', async () => {
  const files = setup.snippets.filter(({ id }) => /\.tsx?$/.test(id)).map(({ id }) => id);
  const config = {
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      target: 'es2022',
      module: 'nodenext',
      jsx: 'react-jsx',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: ['node'],
      typeRoots: [join(repository, 'node_modules/@types')],
      // The frameworks’ own declarations are not checked. Ours are checked below.
      skipLibCheck: true,
    },
    files: [...files, join(repository, 'packages/sdk-react-native/src/peer-modules.d.ts')],
  };
  await writeFile(join(setup.folder.path, 'tsconfig.json'), JSON.stringify(config));
  const entries = ['sdk', 'sdk/core', 'sdk/react', 'sdk/vue', 'sdk/svelte', 'sdk-react-native', 'sdk-node'];
  const imports = entries.map((name, index) => `export * as m${index} from 'postern~${name}';`);
  await writeFile(join(setup.folder.path, 'declarations.ts'), imports.join('\n'));
  const alone = {
    compilerOptions: { ...config.compilerOptions, skipLibCheck: false },
    files: ['declarations.ts'],
  };
  await writeFile(join(setup.folder.path, 'tsconfig.alone.json'), JSON.stringify(alone));
  expect(await tsc('tsconfig.json')).toBe('');
  expect(await tsc('tsconfig.alone.json')).toBe('');
});

async function tsc(project: string): Promise<string> {
  const command = join(repository, 'node_modules/.bin/tsc');
  const { stdout } = await promisify(execFile)(command, ['-p', join(setup.folder.path, project)]).catch(
    (failed: Error & { stdout: string }) => ({ stdout: failed.stdout || failed.message }),
  );
  return stdout;
}
