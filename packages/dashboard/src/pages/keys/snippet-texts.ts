export interface SnippetFacts {
  readonly baseUrl: string;
  readonly projectId: string;
  readonly clientKey: string;
  readonly serverKey: string;
}

export interface Snippet {
  readonly id: string;
  readonly name: string;
  readonly needs: string;
  readonly text: (facts: SnippetFacts) => string;
}

const settings = ({ baseUrl, projectId }: SnippetFacts, apiKey: string, indent = '  ') =>
  [`baseUrl: '${baseUrl}',`, `projectId: '${projectId}',`, `apiKey: ${apiKey},`]
    .map((line) => indent + line)
    .join('\n');

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
    id: 'browser',
    name: 'Browser',
    needs: 'Needs a client key, and the page’s host among the allowed domains.',
    text: (facts) => `import { createPosternClient } from '@postern/sdk-browser';

const postern = createPosternClient({
${settings(facts, `'${facts.clientKey}'`)}
});

// Checks the email field while people type, and holds the form back when it must.
postern.attach('#sign-up');`,
  },
  {
    id: 'react',
    name: 'React',
    needs: 'Needs a client key, and the page’s host among the allowed domains.',
    text: (facts) => `import { createPosternClient, useEmailField } from '@postern/sdk-react';

const postern = createPosternClient({
${settings(facts, `'${facts.clientKey}'`)}
});

export function SignUp({ onSignUp }) {
  const email = useEmailField(postern);
  return (
    <form onSubmit={email.handleSubmit(({ email, verdict }) => onSignUp(email, verdict))}>
      <input required {...email.inputProps} />
      <p {...email.messageProps}>{email.message}</p>
      <button {...email.suggestionProps}>Use {email.suggestion}</button>
      <button type="submit">Sign up</button>
    </form>
  );
}`,
  },
  {
    id: 'react-native',
    name: 'React Native',
    needs: 'Needs a client key, and app://your.app.id among the allowed domains.',
    text: (facts) => `import { createPosternClient } from '@postern/sdk-react-native';
import { expoApp } from '@postern/sdk-react-native/expo';

const postern = createPosternClient({
${settings(facts, `'${facts.clientKey}'`)}
  app: expoApp(),
});

const { recommendation, message, verdict } = await postern.validate(email);
if (recommendation === 'block') showError(message);`,
  },
  {
    id: 'node',
    name: 'Node',
    needs: 'Needs a server key, from the environment.',
    text: (facts) => `import { createPosternServerClient } from '@postern/sdk-node';

const postern = createPosternServerClient({
${settings(facts, 'process.env.POSTERN_SERVER_KEY')}
});

app.post('/sign-up', async (request, response) => {
  const { email } = request.body;
  const { recommendation, message } = await postern.validate(email, { request });
  if (recommendation === 'block') return response.status(422).json({ message });
  // … make the account; keep an eye on it when the recommendation is 'flag'.
});`,
  },
];
