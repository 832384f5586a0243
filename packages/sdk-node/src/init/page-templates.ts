import type { Files, PlanFacts, Project } from './project.ts';

/** Vite puts the variables with this prefix into the page. */
const VITE = 'VITE_';

const viteClient = (sdk: string) => `import { createPosternClient } from '@postern/${sdk}';

export const postern = createPosternClient({
  baseUrl: import.meta.env.VITE_POSTERN_URL,
  projectId: import.meta.env.VITE_POSTERN_PROJECT_ID,
  apiKey: import.meta.env.VITE_POSTERN_CLIENT_KEY,
});
`;

const reactFiles = ({ isTypeScript }: Project): Files => {
  const [extension, jsxExtension] = isTypeScript ? ['ts', 'tsx'] : ['js', 'jsx'];
  return [
    [`src/postern.${extension}`, viteClient('sdk-react')],
    [
      `src/SignUpForm.${jsxExtension}`,
      `import { EmailField } from '@postern/sdk-react';
import { postern } from './postern';

export function SignUpForm() {
  return (
    <form method="post" action="/sign-up">
      <EmailField client={postern} label="Email" />
      <button type="submit">Sign up</button>
    </form>
  );
}
`,
    ],
  ];
};

const vueFiles = ({ isTypeScript }: Project): Files => [
  [`src/postern.${isTypeScript ? 'ts' : 'js'}`, viteClient('sdk-vue')],
  [
    'src/components/SignUpForm.vue',
    `<script setup${isTypeScript ? ' lang="ts"' : ''}>
import { EmailField } from '@postern/sdk-vue';
import { postern } from '../postern';
</script>

<template>
  <form method="post" action="/sign-up">
    <EmailField :client="postern" label="Email" />
    <button type="submit">Sign up</button>
  </form>
</template>
`,
  ],
];

/** Angular’s build reads no environment, and nothing of this is secret. */
const angularFiles = (_project: Project, { url, projectId, clientKey }: PlanFacts): Files => [
  [
    'src/app/postern.ts',
    `import { createPosternClient } from '@postern/sdk-angular';

export const postern = createPosternClient({
  baseUrl: ${JSON.stringify(url)},
  projectId: ${JSON.stringify(projectId)},
  apiKey: ${JSON.stringify(clientKey === '' ? 'YOUR_CLIENT_KEY' : clientKey)},
});
`,
  ],
  [
    'src/app/sign-up-form.ts',
    `import { Component } from '@angular/core';
import { EmailField } from '@postern/sdk-angular';
import { postern } from './postern';

@Component({
  selector: 'app-sign-up-form',
  imports: [EmailField],
  template: \`
    <form method="post" action="/sign-up">
      <postern-email-field [client]="postern" label="Email" />
      <button type="submit">Sign up</button>
    </form>
  \`,
})
export class SignUpForm {
  protected readonly postern = postern;
}
`,
  ],
];

const BACKEND =
  'Run this command in the backend’s project too, or verify the verdict there: checks in the page alone can be bypassed';

/** Pages whose backend is another project. */
export const PAGE_TEMPLATES = {
  react: {
    packages: ['sdk-react'],
    files: reactFiles,
    pageSettings: VITE,
    nextSteps: ['Put <SignUpForm /> into a page', BACKEND],
  },
  vue: {
    packages: ['sdk-vue'],
    files: vueFiles,
    pageSettings: VITE,
    nextSteps: ['Put <SignUpForm /> into a page', BACKEND],
  },
  angular: {
    packages: ['sdk-angular'],
    files: angularFiles,
    pageSettings: null,
    nextSteps: ['Put <app-sign-up-form /> into a template, and SignUpForm into its imports', BACKEND],
  },
} as const;
