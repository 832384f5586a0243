import { createPosternClient, useEmailField } from '@postern/sdk-react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

const { baseUrl, projectId, clientKey } = globalThis.settings;
const postern = createPosternClient({ baseUrl, projectId, apiKey: clientKey });

function SignUp() {
  const email = useEmailField(postern);
  const [answer, setAnswer] = useState('');

  const onSubmit = email.handleSubmit(async ({ email, verdict }) => {
    const response = await fetch('/sign-up', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, 'postern-verdict': verdict }),
    });
    setAnswer(await response.text());
  });

  return (
    <form onSubmit={onSubmit}>
      <label>
        Email <input required {...email.inputProps} />
      </label>
      <p {...email.messageProps}>{email.helpText}</p>
      <button {...email.suggestionProps}>{email.acceptText}</button>
      <button type="submit">Sign up</button>
      <output>{answer}</output>
    </form>
  );
}

createRoot(document.getElementById('root')).render(<SignUp />);
