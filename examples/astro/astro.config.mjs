import node from '@astrojs/node';

export default {
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  // Astro refuses form posts from other origins, so it has to know its own host. Name yours here.
  security: { allowedDomains: [{ hostname: 'localhost' }] },
};
