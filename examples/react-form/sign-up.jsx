import { createPosternClient } from 'postern~sdk';
import { usePostern } from 'postern~sdk/react';
import { useState } from 'react';

const client = createPosternClient({
  baseUrl: import.meta.env.VITE_POSTERN_URL,
  projectId: import.meta.env.VITE_POSTERN_PROJECT_ID,
  apiKey: import.meta.env.VITE_POSTERN_CLIENT_KEY,
});

export function SignUp() {
  const { ref } = usePostern(client);
  const [answer, setAnswer] = useState('');

  /** Called only with an address that may pass. The form’s data has its verdict. */
  async function onSubmit(event) {
    event.preventDefault();
    const response = await fetch('/sign-up', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(new FormData(event.currentTarget))),
    });
    setAnswer(await response.text());
  }

  return (
    <form ref={ref} onSubmit={onSubmit}>
      <label>
        Email <input name="email" type="email" required />
      </label>
      <button type="submit">Sign up</button>
      <output>{answer}</output>
    </form>
  );
}
