import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const contract = fileURLToPath(new URL('../contract/src', import.meta.url));

/** For `npm run dev`: the service that answers everything but the dashboard’s pages. It compares Origin with Host. */
const service = { target: process.env.DEV_SERVICE_URL ?? 'http://127.0.0.1:8080', changeOrigin: false };

/** The service hands these out as they are, so that it never compresses while somebody waits. */
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

const ours = (pattern: string) => new RegExp(`/(dashboard|contract)/src/(${pattern})`);

/** Parts that only some pages need, so that the others do not load them. What these parts import is not in the group. */
const PARTS = {
  charts: ours('components/(charts/|range-choice)|api/place-queries'),
  'log-parts': ours('pages/validations/(?!filters|check-|explain-)|components/(list-entries|action-|wrong-)'),
  'check-parts': ours('pages/validations/(check-|explain-)|check-metadata'),
  'sign-in-parts': ours(
    'components/(password-form|second-factor-form|account-email|new-account)|shell/gate|api/passkeys',
  ),
  'policy-parts': ours('components/(policy-fields|policy-change|message-fields)|project-fields|messages'),
};

/**
 * A page needs the libraries, the shared parts of the dashboard and its own file. Without these groups each icon
 * and each shared component would be a request of its own.
 */
const CHUNKS = [
  {
    name: 'libraries',
    test: /node_modules\/(react|react-dom|scheduler|@tanstack|clsx|use-sync-external-store)\//,
    priority: 3,
  },
  ...Object.entries(PARTS).map(([name, test]) => ({
    name,
    test,
    minShareCount: 2,
    priority: 2,
    includeDependenciesRecursively: false,
  })),
  { name: 'shared', test: /\/(dashboard|contract)\/src\/|lucide-react/, minShareCount: 2, priority: 1 },
];

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/dashboard/',
  plugins: [react(), tailwindcss(), compressed()],
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
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/dashboard/api': service, '^/(?!dashboard/|dashboard$)': service } },
});
