import { createPosternClient, EmailField, useEmailField } from '@postern/sdk-react';
import { createRoot } from 'react-dom/client';

const page = globalThis as unknown as {
  settings: Parameters<typeof createPosternClient>[0];
  signUps: unknown[];
};
const postern = createPosternClient(page.settings);

function Own() {
  const email = useEmailField(postern, { name: 'own' });
  return (
    <form onSubmit={email.handleSubmit((signUp) => page.signUps.push(signUp))}>
      <input aria-label="Own" {...email.inputProps} />
      <p {...email.messageProps}>{email.helpText}</p>
      <button {...email.suggestionProps}>{email.acceptText}</button>
      <button type="submit">Send</button>
    </form>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <>
    <form method="post" action="/sign-up">
      <EmailField client={postern} label="Email" />
      <button type="submit">Sign up</button>
    </form>
    <EmailField client={postern} label="Plain" name="plain" unstyled />
    <Own />
  </>,
);
