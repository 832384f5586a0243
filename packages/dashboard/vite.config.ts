import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const contract = fileURLToPath(new URL('../contract/src', import.meta.url));

/** The service that answers everything but the pages while Vite serves these. It compares Origin with Host. */
const service = { target: 'http://127.0.0.1:8080', changeOrigin: false };

/** The service hands these out as they are, so that it never compresses while a reader waits. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    // Once everything is on the disk: other plugins still change the code when it is generated.
    async writeBundle({ dir = '' }, bundle) {
      for (const name of Object.keys(bundle).filter((file) => /\.(js|css)$/.test(file))) {
        const source = await readFile(join(dir, name));
        await writeFile(join(dir, `${name}.br`), brotliCompressSync(source));
        await writeFile(join(dir, `${name}.gz`), gzipSync(source, { level: 9 }));
      }
    },
  };
}

/** The function that Vite puts around each `import()`, with the files that the import needs. */
const PRELOAD_HELPER = '\0vite/preload-helper.js';

/**
 * Vite’s own function preloads with `<link rel="modulepreload">`. A browser that remembers failed imports remembers
 * these too, so trying again would never work. See `import-when-fetched.ts`.
 */
function importsThatCanBeTriedAgain(): Plugin {
  const file = fileURLToPath(new URL('src/components/import-when-fetched.ts', import.meta.url));
  let replaced = false;
  return {
    name: 'imports-that-can-be-tried-again',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (id !== PRELOAD_HELPER) return null;
      replaced = true;
      return `export { importWhenFetched as __vitePreload } from ${JSON.stringify(file)};`;
    },
    buildEnd(error) {
      if (error === undefined && !replaced) this.error('Vite has renamed its function for preloading');
    },
  };
}

/**
 * A page needs the libraries, what several pages share, and its own file. Without these groups each icon and each
 * shared component would be a request of its own. The time machine’s report is loaded when it is asked for.
 */
const CHUNKS = [
  {
    name: 'libraries',
    test: /node_modules\/(react|react-dom|scheduler|@tanstack|@base-ui|@floating-ui)\//,
    priority: 2,
  },
  { name: 'shared', test: /^(?!.*replay-report)/, minShareCount: 2, priority: 1 },
];

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/dashboard/',
  plugins: [react(), tailwindcss(), importsThatCanBeTriedAgain(), compressed()],
  resolve: {
    // The contract’s source and not its build: pages then never wait for, or lag behind, a compile.
    alias: [
      { find: /^@postern\/contract\/([a-z-]+)$/, replacement: `${contract}/$1.ts` },
      { find: /^@postern\/contract$/, replacement: `${contract}/index.ts` },
    ],
  },
  build: {
    target: ['chrome123', 'firefox121', 'safari17.5'],
    // Script and style come from files only, as the content security policy wants it.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
    // One file for all styles: a page’s own would have to be inserted before it is shown.
    cssCodeSplit: false,
    modulePreload: {
      polyfill: false,
      // By default, a file that imports no other is not in its own list.
      resolveDependencies: (file, dependencies, { hostType }) =>
        hostType === 'js' ? [...new Set([file, ...dependencies])] : dependencies,
    },
  },
  server: { proxy: { '/dashboard/api': service, '^/(?!dashboard/|dashboard$)': service } },
});
