import { type Files, type Project, typed } from './project.ts';

const SVELTE_ENV_START = 'export const variables = defineEnvVars({\n';
/** With a schema they are optional, so that builds need no secrets. */
const SVELTE_VARIABLES = ['URL', 'PROJECT_ID', 'CLIENT_KEY', 'SERVER_KEY']
  .map((name) => `  POSTERN_${name}: { schema: (value) => value },\n`)
  .join('');

/** SvelteKit 3 knows only the variables that `src/env` declares. */
const declaresEnv = (project: Project) => (project.majorOf('@sveltejs/kit') ?? 0) >= 3;

export function svelteEdits(project: Project): Files {
  const path = ['src/env.ts', 'src/env.js'].find(project.has);
  const text = path === undefined ? undefined : project.read(path);
  if (path === undefined || text === undefined || text.includes('POSTERN_URL')) return [];
  return [[path, text.replace(SVELTE_ENV_START, `${SVELTE_ENV_START}${SVELTE_VARIABLES}`)]];
}

export const svelteFiles = (project: Project): Files => {
  const extension = project.isTypeScript ? 'ts' : 'js';
  const env = declaresEnv(project)
    ? "import * as env from '$app/env/private';"
    : "import { env } from '$env/dynamic/private';";
  return [
    ...(declaresEnv(project)
      ? [
          [
            `src/env.${extension}`,
            `import { defineEnvVars } from '@sveltejs/kit/env';

${SVELTE_ENV_START}${SVELTE_VARIABLES}});
`,
          ] as const,
        ]
      : []),
    [
      `src/lib/postern.server.${extension}`,
      `import { createPosternServerClient } from '@postern/sdk-node';
${env}

export const postern = createPosternServerClient({
  baseUrl: env.POSTERN_URL,
  projectId: env.POSTERN_PROJECT_ID,
  apiKey: env.POSTERN_SERVER_KEY,
});
`,
    ],
    [
      `src/routes/sign-up/+page.server.${extension}`,
      `import { checkRequest } from '@postern/sdk-node';
import { fail } from '@sveltejs/kit';
${env}
import { postern } from '../../lib/postern.server';

export const load = () => ({
  settings: {
    baseUrl: env.POSTERN_URL ?? '',
    projectId: env.POSTERN_PROJECT_ID ?? '',
    apiKey: env.POSTERN_CLIENT_KEY ?? '',
  },
});

export const actions = {
  default: async ({ request, getClientAddress }${typed(project, ': { request: Request; getClientAddress: () => string }')}) => {
    const checked = await checkRequest(postern, request, { clientIp: getClientAddress() });
    if (!checked.accepted) return fail(checked.refusal.status, { message: checked.refusal.message });
    return { message: \`Welcome, \${checked.signUp.email}!\` };
  },
};
`,
    ],
    [
      'src/routes/sign-up/+page.svelte',
      `<script${typed(project, ' lang="ts"')}>
  import { createPosternClient } from '@postern/sdk-svelte';
  import EmailField from '@postern/sdk-svelte/EmailField.svelte';

  let { data, form } = $props();
  const postern = createPosternClient(data.settings);
</script>

<form method="post">
  <EmailField client={postern} label="Email" />
  <button>Sign up</button>
  <p role="status">{form?.message ?? ''}</p>
</form>
`,
    ],
  ];
};
