export const EXPRESS = `import express from 'express';

const app = express();
app.use(express.urlencoded({ extended: false }));

app.post('/sign-up', (request, response) => {
  response.json({ welcome: request.body.email });
});

const server = app.listen(0, () => console.log('port ' + server.address().port));
`;
const PAGE =
  '<!doctype html><title>Hi</title><body><form id="join"><input type="email" name="email"></form></body>';
export const manifest = (dependencies: Record<string, string>, type = 'module') =>
  `${JSON.stringify({ name: 'fixture', private: true, type, dependencies }, null, 2)}\n`;

/** Projects as the frameworks’ own generators write them, reduced to what this command reads. */
export const FIXTURES: Record<string, { files: Record<string, string>; writes: Record<string, RegExp> }> = {
  next: {
    files: {
      'package.json': manifest({ next: '16.0.0', react: '19.2.0' }, 'commonjs'),
      'tsconfig.json': '{}',
      'src/app/page.tsx': 'export default function Home() { return null; }\n',
      '.gitignore': '/node_modules\n.env*\n',
      'pnpm-lock.yaml': '',
    },
    writes: {
      'src/lib/postern.ts': /createPosternServerClient\(\)/,
      'src/app/api/sign-up/route.ts': /guardRequest\(postern/,
      'src/app/sign-up/form.tsx': /^'use client';[\s\S]*settings: PosternClientOptions/,
      'src/app/sign-up/page.tsx': /await connection\(\);[\s\S]*<SignUpForm/,
    },
  },
  'next without TypeScript': {
    files: { 'package.json': manifest({ next: '16.0.0' }), 'app/page.jsx': '' },
    writes: { 'app/sign-up/form.jsx': /SignUpForm\(\{ settings \}\)/, 'lib/postern.js': /sdk-node/ },
  },
  sveltekit: {
    files: {
      'package.json': manifest({ '@sveltejs/kit': '2.0.0' }),
      'src/app.html': '',
      'tsconfig.json': '{}',
    },
    writes: {
      'src/lib/postern.server.ts': /env\.POSTERN_SERVER_KEY/,
      'src/routes/sign-up/+page.server.ts': /getClientAddress\(\)/,
      'src/routes/sign-up/+page.svelte': /<EmailField client=\{postern\} label="Email" \/>/,
    },
  },
  'sveltekit 3, which knows only declared variables': {
    files: {
      'package.json': manifest({ '@sveltejs/kit': '^3.1.0' }),
      'tsconfig.json': '{}',
      'src/env.ts':
        "import { defineEnvVars } from '@sveltejs/kit/env';\n\nexport const variables = defineEnvVars({\n  MINE: {},\n});\n",
    },
    writes: {
      'src/env.ts': /defineEnvVars\(\{\n {2}POSTERN_URL: \{ schema[\s\S]* {2}MINE: \{\},/,
      'src/routes/sign-up/+page.server.ts': /import \* as env from '\$app\/env\/private';/,
    },
  },
  nuxt: {
    files: { 'package.json': manifest({ nuxt: '4.0.0' }), 'app/app.vue': '', 'tsconfig.json': '{}' },
    writes: {
      'server/api/sign-up.post.ts': /checkEvent\(postern, event\)/,
      'app/components/SignUpForm.vue': /<EmailField :client="postern" label="Email" \/>/,
    },
  },
  astro: {
    files: { 'package.json': manifest({ astro: '5.0.0' }), 'src/pages/index.astro': '' },
    writes: { 'src/pages/sign-up.astro': /prerender = false/ },
  },
  'react-router': {
    files: {
      'package.json': manifest({ '@react-router/dev': '7.0.0', 'react-router': '7.0.0' }),
      'tsconfig.json': '{}',
      'app/routes.ts':
        'import { type RouteConfig, index } from "@react-router/dev/routes";\n\nexport default [index("routes/home.tsx")] satisfies RouteConfig;\n',
    },
    writes: {
      'app/routes.ts':
        /RouteConfig, index, route \}[\s\S]*\[route\("sign-up", "routes\/sign-up\.tsx"\), index/,
      'app/routes/sign-up.tsx': /useEmailField\(client\)/,
    },
  },
  nestjs: {
    files: {
      'package.json': manifest({ '@nestjs/core': '12.0.0' }, 'commonjs'),
      'tsconfig.json': '{}',
      'src/app.module.ts':
        "import { Module } from '@nestjs/common';\nimport { AppController } from './app.controller';\n\n@Module({\n  imports: [],\n  controllers: [AppController],\n  providers: [],\n})\nexport class AppModule {}\n",
    },
    writes: {
      'src/app.module.ts': /controllers: \[SignUpController, AppController\]/,
      'src/sign-up.controller.ts': /@UseGuards\(nestGuard\(postern\)\)/,
    },
  },
  'nestjs as ES modules': {
    files: {
      'package.json': manifest({ '@nestjs/core': '12.0.0' }),
      'src/app.module.ts':
        "import { Module } from '@nestjs/common';\nimport { AppController } from './app.controller.js';\n\n@Module({ controllers: [AppController] })\nexport class AppModule {}\n",
    },
    writes: { 'src/app.module.ts': /from '\.\/sign-up\.controller\.js'/ },
  },
  express: {
    files: {
      'package.json': manifest({ express: '5.0.0' }),
      'server.js': EXPRESS,
      'public/index.html': PAGE,
    },
    writes: {
      'server.js': /app\.post\('\/sign-up', expressGuard\(postern\), \(request/,
      'public/index.html': /data-form="#join"><\/script>\n<\/body>/,
    },
  },
  'express, typed, with a parser in its route': {
    files: {
      'package.json': manifest({ express: '5.0.0' }),
      'src/app.ts':
        "#!/usr/bin/env node\nimport express, { type Express } from 'express';\n\nexport function createApp() {\n  const app: Express = express();\n  app.post('/register', express.urlencoded({ extended: false }), (request, response) => {\n    mail.post('https://lists.test/join', {});\n  });\n  return app;\n}\n",
    },
    writes: {
      'src/app.ts':
        /^#!.*\nimport \{ [\s\S]*extended: false \}\), expressGuard\(postern\), \(request[\s\S]*join', \{\}\)/,
    },
  },
  'express with require and no route': {
    files: {
      'package.json': manifest({ express: '4.0.0' }, 'commonjs'),
      'index.js': "const express = require('express');\nconst app = express();\napp.listen(3000);\n",
    },
    writes: {
      'index.js':
        /getSignUp \} = require\('@postern\/sdk-node'\)[\s\S]*expressGuard\(postern\),[\s\S]*app\.listen/,
    },
  },
  fastify: {
    files: {
      'package.json': manifest({ fastify: '5.0.0' }),
      'src/server.ts':
        "import Fastify from 'fastify';\nconst app = Fastify();\napp.post('/register', async () => ({}));\nawait app.listen({ port: 3000 });\n",
    },
    writes: { 'src/server.ts': /post\('\/register', \{ preHandler: fastifyGuard\(postern\) \}, async/ },
  },
  'fastify over several lines, with options': {
    files: {
      'package.json': manifest({ fastify: '5.0.0' }),
      'server.cjs':
        'const app = require("fastify")({\n  logger: true,\n});\napp.post("/sign-up", { schema: {} }, async () => ({}));\n',
    },
    writes: { 'server.cjs': /\{ preHandler: fastifyGuard\(postern\), schema: \{\} \}, async/ },
  },
  hono: {
    files: {
      'package.json': manifest({ hono: '4.0.0' }),
      'src/index.ts':
        "import { serve } from '@hono/node-server';\nimport { Hono } from 'hono';\n\nconst app = new Hono();\n\nserve({ fetch: app.fetch, port: 3000 });\n",
    },
    writes: { 'src/index.ts': /app\.post\('\/sign-up', honoGuard\(postern\),[\s\S]*\nserve\(/ },
  },
  koa: {
    files: {
      'package.json': manifest({ koa: '3.0.0' }),
      'app.js': "import Koa from 'koa';\nconst app = new Koa();\napp.listen(3000);\n",
    },
    writes: { 'app.js': /koaGuard\(postern\)\(context/ },
  },
  'react and Vite': {
    files: { 'package.json': manifest({ react: '19.2.0' }), 'tsconfig.json': '{}' },
    writes: {
      'src/postern.ts': /VITE_POSTERN_CLIENT_KEY/,
      'src/SignUpForm.tsx': /<EmailField client=\{postern\}/,
      '.env': /^VITE_POSTERN_URL=http/m,
    },
  },
  'vue and Vite': {
    files: { 'package.json': manifest({ vue: '3.5.0' }), 'tsconfig.json': '{}' },
    writes: {
      'src/postern.ts': /sdk-vue/,
      'src/components/SignUpForm.vue': /<EmailField :client="postern"/,
      '.env': /^VITE_POSTERN_CLIENT_KEY=pst_client/m,
    },
  },
  angular: {
    files: { 'package.json': manifest({ '@angular/core': '22.0.0' }), 'tsconfig.json': '{}' },
    writes: {
      'src/app/postern.ts': /apiKey: "pst_client/,
      'src/app/sign-up-form.ts': /<postern-email-field \[client\]="postern"/,
    },
  },
  'a plain page': {
    files: { 'index.html': PAGE },
    writes: {
      'index.html': /<script async src="http[^"]+\/sdk\/postern-[0-9a-f]{16}\.js"\s+integrity="sha384-/,
    },
  },
};
