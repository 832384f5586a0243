import { type SdkManifest, scriptTag } from '@postern/contract/sdk-files';
import { installLine } from './sdk-lines.ts';

interface SnippetFacts {
  readonly baseUrl: string;
  readonly projectId: string;
  readonly clientKey: string;
  readonly serverKey: string;
  /** `null` when the service does not serve its SDKs. */
  readonly sdk: SdkManifest | null;
  /** The project’s own words for an invalid address, which the form shows without asking the service. */
  readonly malformed?: string | undefined;
}

export interface Snippet {
  readonly id: string;
  readonly name: string;
  readonly needs: string;
  readonly text: (facts: SnippetFacts) => string;
}

const PAGE_NEEDS = 'Needs a client key, and the page’s host among the allowed domains.';

const install = ({ baseUrl, sdk }: SnippetFacts, name: string) => installLine(baseUrl, sdk, name);

const settings = ({ baseUrl, projectId }: SnippetFacts, apiKey: string) =>
  [`  baseUrl: '${baseUrl}',`, `  projectId: '${projectId}',`, `  apiKey: ${apiKey},`].join('\n');

const ownTexts = ({ malformed }: SnippetFacts) =>
  malformed === undefined ? '' : `, { texts: { malformed: ${quoted(malformed)} } }`;

const ownTextsLine = ({ malformed }: SnippetFacts) =>
  malformed === undefined ? '' : `\nconst texts = { malformed: ${quoted(malformed)} };`;

/** As a string of a script. In a page, `</script>` in it would end the script. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('</', '<\\/')}'`;
}

export const SNIPPETS: readonly Snippet[] = [
  {
    id: 'curl',
    name: 'curl',
    needs: 'Needs a server key.',
    text: ({ baseUrl, projectId, serverKey }) => `curl -s ${baseUrl}/validate \\
  -H 'Authorization: Bearer ${serverKey}' \\
  -H 'X-Project-Id: ${projectId}' \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"jane.doe@gmail.com"}'`,
  },
  {
    id: 'page',
    name: 'Page',
    needs: PAGE_NEEDS,
    text: ({ baseUrl, projectId, clientKey, sdk, malformed }) =>
      scriptTag(baseUrl, sdk, { project: projectId, key: clientKey, form: '#sign-up', malformed }),
  },
  {
    id: 'browser',
    name: 'Browser',
    needs: PAGE_NEEDS,
    text: (
      facts,
    ) => `${install(facts, 'sdk-browser')}import { createPosternClient } from '@postern/sdk-browser';

const postern = createPosternClient({
${settings(facts, `'${facts.clientKey}'`)}
});

// Checks the email field when people leave it, and holds the form back when it must.
postern.attach('#sign-up'${ownTexts(facts)});`,
  },
  {
    id: 'react',
    name: 'React',
    needs: PAGE_NEEDS,
    text: (
      facts,
    ) => `${install(facts, 'sdk-react')}import { createPosternClient, useEmailField } from '@postern/sdk-react';

const postern = createPosternClient({
${settings(facts, `'${facts.clientKey}'`)}
});

export function SignUp({ onSignUp }) {
  const email = useEmailField(postern${ownTexts(facts)});
  return (
    <form onSubmit={email.handleSubmit(({ email, verdict }) => onSignUp(email, verdict))}>
      <input required {...email.inputProps} />
      <p {...email.messageProps}>{email.helpText}</p>
      <button {...email.suggestionProps}>{email.acceptText}</button>
      <button type="submit">Sign up</button>
    </form>
  );
}`,
  },
  {
    id: 'vue',
    name: 'Vue',
    needs: PAGE_NEEDS,
    text: (facts) => `<script setup>
${install(facts, 'sdk-vue')}import { createPosternClient, EmailField } from '@postern/sdk-vue';

const postern = createPosternClient({
${settings(facts, `'${facts.clientKey}'`)}
});${ownTextsLine(facts)}
</script>

<template>
  <form method="post" action="/sign-up">
    <EmailField :client="postern" label="Email"${facts.malformed === undefined ? '' : ' :texts="texts"'} />
    <button type="submit">Sign up</button>
  </form>
</template>`,
  },
  {
    id: 'svelte',
    name: 'Svelte',
    needs: PAGE_NEEDS,
    text: (facts) => `<script>
${install(facts, 'sdk-svelte')}import { createPosternClient } from '@postern/sdk-svelte';
import EmailField from '@postern/sdk-svelte/EmailField.svelte';

const postern = createPosternClient({
${settings(facts, `'${facts.clientKey}'`)}
});${ownTextsLine(facts)}
</script>

<form method="post" action="/sign-up">
  <EmailField client={postern} label="Email"${facts.malformed === undefined ? '' : ' {texts}'} />
  <button>Sign up</button>
</form>`,
  },
  {
    id: 'angular',
    name: 'Angular',
    needs: PAGE_NEEDS,
    text: (facts) => `${install(facts, 'sdk-angular')}import { Component } from '@angular/core';
import { createPosternClient, EmailField } from '@postern/sdk-angular';

const postern = createPosternClient({
${settings(facts, `'${facts.clientKey}'`)}
});${ownTextsLine(facts)}

@Component({
  selector: 'app-sign-up-form',
  imports: [EmailField],
  template: \`
    <form method="post" action="/sign-up">
      <postern-email-field [client]="postern" label="Email"${facts.malformed === undefined ? '' : ' [texts]="texts"'} />
      <button type="submit">Sign up</button>
    </form>
  \`,
})
export class SignUpForm {
  protected readonly postern = postern;${facts.malformed === undefined ? '' : '\n  protected readonly texts = texts;'}
}`,
  },
  {
    id: 'react-native',
    name: 'React Native',
    needs: 'Needs a client key, and app://your.app.id among the allowed domains.',
    text: (
      facts,
    ) => `${install(facts, 'sdk-react-native')}import { createPosternClient } from '@postern/sdk-react-native';
import { expoApp } from '@postern/sdk-react-native/expo';
import { useEmailField } from '@postern/sdk-react-native/react';

const postern = createPosternClient({
${settings(facts, `'${facts.clientKey}'`)}
  app: expoApp(),
});

// In a component: <TextInput {...field.inputProps} />, and send email and verdict to your backend.
const field = useEmailField(postern${ownTexts(facts)});
const submit = field.handleSubmit(({ email, verdict }) => signUp(email, verdict));`,
  },
  {
    id: 'node',
    name: 'Node',
    needs: 'Needs a server key, from the environment.',
    text: (
      facts,
    ) => `${install(facts, 'sdk-node')}import { createPosternServerClient } from '@postern/sdk-node';

const postern = createPosternServerClient({
${settings(facts, 'process.env.POSTERN_SERVER_KEY')}
});

app.post('/sign-up', async (request, response) => {
  const { email } = request.body;
  const signUp = await postern.evaluateSignUp({ email, verdict: request.body['postern-verdict'], request });
  if (!signUp.accepted) return response.status(signUp.status).json({ error: signUp.message });
  // … make the account; keep an eye on it when signUp.recommendation is 'flag'.
});`,
  },
];
