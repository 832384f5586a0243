/**
 * `node --import ./scripts/typescript.mjs FILE.ts` runs TypeScript. Node 20 cannot, and a package that does, such as tsx,
 * brings esbuild: an optional peer of Vite, which npm would then install for everybody who starts the service (21 MB).
 */
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
