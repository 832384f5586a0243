import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';

export default {
  plugins: [
    sveltekit({
      adapter: adapter(),
      // SvelteKit takes forms only from its own origin, and assumes https if it is not told.
      paths: { origin: process.env.ORIGIN },
    }),
  ],
};
