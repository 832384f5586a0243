import { PAGE_TEMPLATES } from './page-templates.ts';
import { type Files, type Framework, type PlanFacts, type Project, typed } from './project.ts';
import { svelteEdits, svelteFiles } from './svelte-template.ts';

interface Template {
  readonly packages: readonly string[];
  /** New files. */
  readonly files: (project: Project, facts: PlanFacts) => Files;
  /** Existing files that have to change. */
  readonly edits?: (project: Project) => Files;
  /** What the person does next, one line each. */
  readonly nextSteps: readonly string[];
  /** Only for a page without a backend: the prefix of its environment variables; `null` if it reads none. */
  readonly pageSettings?: string | null;
}

const CLIENT = `import { createPosternServerClient } from '@postern/sdk-node';

// POSTERN_URL, POSTERN_PROJECT_ID and POSTERN_SERVER_KEY come from the environment.
export const postern = createPosternServerClient();
`;

const REACT_FORM = `      <label>
        Email <input required {...email.inputProps} />
      </label>
      <p {...email.messageProps}>{email.helpText}</p>
      <button {...email.suggestionProps}>{email.acceptText}</button>
      <input {...email.verdictProps} />
      <button type="submit">Sign up</button>`;

const SETTINGS = `{
        baseUrl: process.env.POSTERN_URL ?? '',
        projectId: process.env.POSTERN_PROJECT_ID ?? '',
        apiKey: process.env.POSTERN_CLIENT_KEY ?? '',
      }`;

const nextFiles = (project: Project): Files => {
  const base = project.has('src/app') ? 'src/' : '';
  const [extension, jsxExtension] = project.isTypeScript ? ['ts', 'tsx'] : ['js', 'jsx'];
  return [
    [`${base}lib/postern.${extension}`, CLIENT],
    [
      `${base}app/api/sign-up/route.${extension}`,
      `import { getSignUp, guardRequest } from '@postern/sdk-node';
import { postern } from '../../../lib/postern';

// Only sign-ups that passed get here.
export const POST = guardRequest(postern, (request) => Response.json({ welcome: getSignUp(request).email }));
`,
    ],
    [
      `${base}app/sign-up/form.${jsxExtension}`,
      `'use client';

import { createPosternClient, ${typed(project, 'type PosternClientOptions, ')}useEmailField } from '@postern/sdk-react';
import { useState } from 'react';

export function SignUpForm({ settings }${typed(project, ': { settings: PosternClientOptions }')}) {
  const [postern] = useState(() => createPosternClient(settings));
  const email = useEmailField(postern);
  return (
    <form method="post" action="/api/sign-up">
${REACT_FORM}
    </form>
  );
}
`,
    ],
    [
      `${base}app/sign-up/page.${jsxExtension}`,
      `import { connection } from 'next/server';
import { Suspense } from 'react';
import { SignUpForm } from './form';

export default function SignUpPage() {
  return (
    <Suspense>
      <SignUpWithSettings />
    </Suspense>
  );
}

async function SignUpWithSettings() {
  // The settings come from the environment of the running server, not of the build.
  await connection();
  return (
    <SignUpForm
      settings={${SETTINGS}}
    />
  );
}
`,
    ],
  ];
};

const nuxtFiles = (project: Project): Files => {
  const extension = project.isTypeScript ? 'ts' : 'js';
  const base = project.has('app') ? 'app/' : '';
  return [
    [`server/utils/postern.${extension}`, CLIENT],
    [
      `server/api/postern.get.${extension}`,
      `export default defineEventHandler(() => ({
  baseUrl: process.env.POSTERN_URL ?? '',
  projectId: process.env.POSTERN_PROJECT_ID ?? '',
  apiKey: process.env.POSTERN_CLIENT_KEY ?? '',
}));
`,
    ],
    [
      `server/api/sign-up.post.${extension}`,
      `import { checkEvent, getSignUp } from '@postern/sdk-node';

export default defineEventHandler(async (event) => {
  const refused = await checkEvent(postern, event);
  if (refused) return refused;
  return { welcome: getSignUp(event).email };
});
`,
    ],
    [
      `${base}components/SignUpForm.vue`,
      `<script setup${typed(project, ' lang="ts"')}>
import { createPosternClient, EmailField } from '@postern/sdk-vue';

const { data: settings } = await useFetch('/api/postern');
const postern = createPosternClient(settings.value ?? { baseUrl: '', projectId: '', apiKey: '' });
</script>

<template>
  <form method="post" action="/api/sign-up">
    <EmailField :client="postern" label="Email" />
    <button type="submit">Sign up</button>
  </form>
</template>
`,
    ],
  ];
};

const astroFiles = (project: Project): Files => [
  [`src/lib/postern.${project.isTypeScript ? 'ts' : 'js'}`, CLIENT],
  [
    'src/pages/sign-up.astro',
    `---
import { checkRequest } from '@postern/sdk-node';
import { postern } from '../lib/postern';

export const prerender = false;

let message = '';
if (Astro.request.method === 'POST') {
  const checked = await checkRequest(postern, Astro.request, { clientIp: Astro.clientAddress });
  message = checked.accepted ? \`Welcome, \${checked.signUp.email}!\` : checked.refusal.message;
  if (!checked.accepted) Astro.response.status = checked.refusal.status;
}
const settings = JSON.stringify({
  baseUrl: process.env.POSTERN_URL,
  projectId: process.env.POSTERN_PROJECT_ID,
  apiKey: process.env.POSTERN_CLIENT_KEY,
});
---
<!doctype html>
<html lang="en">
  <head>
    <title>Sign up</title>
  </head>
  <body>
    <form id="sign-up" method="post" data-postern={settings}>
      <label>Email <input name="email" type="email" required /></label>
      <button>Sign up</button>
      <p role="status">{message}</p>
    </form>
    <script>
      import { createPosternClient } from '@postern/sdk-browser';

      const form = document.querySelector('#sign-up');
      if (form instanceof HTMLFormElement) createPosternClient(JSON.parse(form.dataset.postern ?? '{}')).attach(form);
    </script>
  </body>
</html>
`,
  ],
];

const routerFiles = (project: Project): Files => {
  const [extension, jsxExtension] = project.isTypeScript ? ['ts', 'tsx'] : ['js', 'jsx'];
  return [
    [`app/postern.server.${extension}`, CLIENT],
    [
      `app/routes/sign-up.${jsxExtension}`,
      `import { checkRequest } from '@postern/sdk-node';
import { createPosternClient, useEmailField } from '@postern/sdk-react';
import { useState } from 'react';
import { data, Form, useActionData, useLoaderData } from 'react-router';
import { postern } from '../postern.server';

export const loader = () => ({
  baseUrl: process.env.POSTERN_URL ?? '',
  projectId: process.env.POSTERN_PROJECT_ID ?? '',
  apiKey: process.env.POSTERN_CLIENT_KEY ?? '',
});

export async function action({ request }${typed(project, ': { request: Request }')}) {
  const checked = await checkRequest(postern, request);
  if (!checked.accepted)
    return data({ message: checked.refusal.message }, { status: checked.refusal.status });
  return { message: \`Welcome, \${checked.signUp.email}!\` };
}

export default function SignUp() {
  const settings = useLoaderData${typed(project, '<typeof loader>')}();
  const answer = useActionData${typed(project, '<{ message: string }>')}();
  const [client] = useState(() => createPosternClient(settings));
  const email = useEmailField(client);
  return (
    <Form method="post">
${REACT_FORM}
      <p role="status">{answer?.message}</p>
    </Form>
  );
}
`,
    ],
  ];
};

/** Adds the page to the list of routes, which a new project has as `export default [index("routes/home.tsx")]`. */
function routerEdits(project: Project): Files {
  const path = ['app/routes.ts', 'app/routes.js'].find(project.has);
  const text = path === undefined ? undefined : project.read(path);
  if (path === undefined || text === undefined || text.includes('sign-up')) return [];
  const file = `routes/sign-up.${project.isTypeScript ? 'tsx' : 'jsx'}`;
  const listed = text.replace(/export default \[/, `export default [route("sign-up", "${file}"), `);
  const imported = /\broute\b.*from ['"]@react-router\/dev\/routes['"]/.test(listed)
    ? listed
    : listed
        // `index` may be the only import or the last of several.
        .replace(/,? *index *\}( from ['"]@react-router\/dev\/routes['"])/, ', index, route }$1')
        .replace('{, ', '{ ');
  return [[path, imported]];
}

const nestFiles = (): Files => [
  [
    'src/sign-up.controller.ts',
    `import { Controller, Post, Req, UseGuards } from '@nestjs/common';
import { createPosternServerClient, getSignUp, nestGuard } from '@postern/sdk-node';

// POSTERN_URL, POSTERN_PROJECT_ID and POSTERN_SERVER_KEY come from the environment.
const postern = createPosternServerClient();

@Controller('sign-up')
export class SignUpController {
  @Post()
  @UseGuards(nestGuard(postern))
  create(@Req() request: object) {
    return { welcome: getSignUp(request).email };
  }
}
`,
  ],
];

function nestEdits(project: Project): Files {
  const text = project.read('src/app.module.ts');
  if (text === undefined || text.includes('SignUpController')) return [];
  // The second replacement removes the comma if the list was empty.
  const added = text.replace(/controllers: \[/, 'controllers: [SignUpController, ').replace(', ]', ']');
  // Nest 12 makes ES modules, whose imports have an ending.
  const importEnding = /from '\.\/[\w.-]+\.js'/.test(text) ? '.js' : '';
  return [
    [
      'src/app.module.ts',
      `import { SignUpController } from './sign-up.controller${importEnding}';\n${added}`,
    ],
  ];
}

export const TEMPLATES: Readonly<Partial<Record<Framework, Template>>> = {
  ...PAGE_TEMPLATES,
  next: {
    packages: ['sdk-node', 'sdk-react'],
    files: nextFiles,
    nextSteps: ['Start the app and open /sign-up'],
  },
  sveltekit: {
    packages: ['sdk-node', 'sdk-svelte'],
    files: svelteFiles,
    edits: svelteEdits,
    nextSteps: ['Start the app and open /sign-up'],
  },
  nuxt: {
    packages: ['sdk-node', 'sdk-vue'],
    files: nuxtFiles,
    nextSteps: ['Put <SignUpForm /> into a page'],
  },
  astro: {
    packages: ['sdk-node', 'sdk-browser'],
    files: astroFiles,
    nextSteps: ['Add an adapter for your host if there is none (npx astro add node), then open /sign-up'],
  },
  'react-router': {
    packages: ['sdk-node', 'sdk-react'],
    files: routerFiles,
    edits: routerEdits,
    nextSteps: ['Start the app and open /sign-up'],
  },
  nestjs: {
    packages: ['sdk-node'],
    files: nestFiles,
    edits: nestEdits,
    nextSteps: ['Start it with the variables in .env: node --env-file=.env dist/main.js'],
  },
};
