import { createPosternClient } from 'postern~sdk';
import { usePostern } from 'postern~sdk/react';
import { createRoot } from 'react-dom/client';

const page = globalThis as unknown as {
  settings: Parameters<typeof createPosternClient>[0];
  signUps: unknown[];
};
const client = createPosternClient(page.settings);

function SignUp() {
  return (
    <form ref={usePostern(client).ref} method="post" action="/sign-up">
      <label>
        Email <input name="email" type="email" required />
      </label>
      <button type="submit">Sign up</button>
    </form>
  );
}

function Own() {
  const postern = usePostern(client);
  return (
    <form
      ref={postern.ref}
      onSubmit={(event) => {
        event.preventDefault();
        page.signUps.push(Object.fromEntries(new FormData(event.currentTarget)));
      }}
    >
      <input aria-label="Own" name="email" />
      <output>{postern.state?.status}</output>
      <button type="submit">Send</button>
    </form>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render([<SignUp key="1" />, <Own key="2" />]);
