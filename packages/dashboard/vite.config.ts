import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const contract = fileURLToPath(new URL('../contract/src', import.meta.url));

/** For `vite` in this folder: the service that answers the API while pages are worked on. */
const service = process.env.POSTERN_URL ?? 'http://127.0.0.1:8080';

/** The service hands these out as they are, so that it never compresses while somebody waits. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (!/\.(js|css)$/.test(file.fileName)) continue;
        const source = Buffer.from(file.type === 'chunk' ? file.code : file.source);
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: brotliCompressSync(source) });
        this.emitFile({
          type: 'asset',
          fileName: `${file.fileName}.gz`,
          source: gzipSync(source, { level: 9 }),
        });
      }
    },
  };
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/dashboard/',
  plugins: [react(), tailwindcss(), compressed()],
  resolve: {
    // The contract’s source and not its build: pages then never wait for, or lag behind, a compile.
    alias: [
      { find: /^@postern\/contract\/dashboard$/, replacement: `${contract}/dashboard.ts` },
      { find: /^@postern\/contract$/, replacement: `${contract}/index.ts` },
    ],
  },
  build: {
    target: ['chrome123', 'firefox121', 'safari17.5'],
    // Script and style come from files only, as the content security policy wants it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/dashboard/api': service } },
});
