import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type OutputChunk, rolldown } from 'rolldown';
import { repository, SDK_NAMES } from './built-sdks.ts';
import { UNKNOWN_SERVER_KEY } from './stub-service.ts';

export interface Snippet {
  /** Package and file, as the block’s first line names it: `sdk/sign-up.ts`. */
  readonly id: string;
  readonly code: string;
}

/** Every code block of the READMEs that can be compiled or opened. */
export function readSnippets(): Snippet[] {
  return SDK_NAMES.flatMap((name) => {
    const readme = readFileSync(join(repository, 'packages', name, 'README.md'), 'utf8');
    return [...readme.matchAll(/^```(?:ts|tsx|js|jsx|html)\n(.*?)^```$/gms)].map(([, code = '']) => {
      const file = /^(?:\/\/|<!--) (\S+)/.exec(code)?.[1] ?? 'unnamed';
      return { id: `${name}/${file}`, code };
    });
  });
}

export interface SnippetFolder {
  readonly path: string;
  /** Bundles a snippet for a page, with the wrapper’s code around it. */
  forPage(id: string, wrapper: string, baseUrl: string): Promise<OutputChunk[]>;
  /** Imports a snippet that runs in Node. */
  inNode<T>(id: string, baseUrl: string): Promise<T>;
  remove(): Promise<void>;
}

/** The snippets as files of a project that has the packages installed. */
export async function writeSnippets(snippets: readonly Snippet[]): Promise<SnippetFolder> {
  const path = await mkdtemp(join(tmpdir(), 'postern-readme-'));
  await symlink(join(repository, 'node_modules'), join(path, 'node_modules'));
  await writeFile(join(path, 'package.json'), '{"type":"module"}');
  for (const { id, code } of snippets) await writeUnder(path, id, code);

  const prepared = async (id: string, baseUrl: string) => {
    const code = snippets.find((snippet) => snippet.id === id)?.code;
    if (code === undefined) throw new Error(`No README has ${id}`);
    const file = `run/${id}`;
    await writeUnder(path, file, filledIn(code, baseUrl));
    return join(path, file);
  };

  return {
    path,
    forPage: async (id, wrapper, baseUrl) => {
      const snippet = await prepared(id, baseUrl);
      const entry = join(path, 'run', 'entry.tsx');
      await writeFile(entry, wrapper.replace('SNIPPET', snippet));
      const build = await rolldown({
        input: entry,
        platform: 'browser',
        resolve: { alias: { react: join(repository, 'node_modules/react') } },
        transform: { define: { 'process.env.NODE_ENV': '"production"' } },
        tsconfig: false,
      });
      const { output } = await build.generate({ format: 'esm', chunkFileNames: '[name].js' });
      await build.close();
      return output.filter((part) => part.type === 'chunk');
    },
    inNode: async (id, baseUrl) => {
      const snippet = await prepared(id, baseUrl);
      const native = join(repository, 'packages/sdk-react-native/test/support');
      const build = await rolldown({
        input: snippet,
        platform: 'node',
        external: (name) => !/^[./]|^postern~sdk-react-native|^expo-|^react-native/.test(name),
        resolve: {
          alias: {
            'expo-application': join(native, 'expo-application.ts'),
            'react-native': join(native, 'react-native.ts'),
            'react-native-device-info': join(native, 'react-native-device-info.ts'),
          },
        },
        tsconfig: false,
      });
      const file = `${snippet}.mjs`;
      await build.write({ file, format: 'esm', codeSplitting: false });
      await build.close();
      // Another base URL is another module.
      return import(`${pathToFileURL(file).href}?${encodeURIComponent(baseUrl)}`);
    },
    remove: () => rm(path, { recursive: true }),
  };
}

/** The snippet with a stub’s address and keys instead of the placeholders. */
export function filledIn(code: string, baseUrl: string): string {
  return code
    .replaceAll('https://postern.example.com', baseUrl)
    .replaceAll('YOUR_PROJECT_ID', 'demo')
    .replaceAll('YOUR_CLIENT_KEY', 'pst_client_live_readme')
    .replaceAll(' data-form=', ' data-timeout-ms="60000" data-form=')
    .replaceAll('YOUR_SERVER_KEY', UNKNOWN_SERVER_KEY);
}

async function writeUnder(folder: string, file: string, code: string): Promise<void> {
  const full = join(folder, file);
  await mkdir(join(full, '..'), { recursive: true });
  await writeFile(full, code);
}
