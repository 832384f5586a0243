import { createPosternClient, defineEmailElement } from 'postern~sdk';

const page = globalThis as unknown as {
  settings: Parameters<typeof createPosternClient>[0];
  signUps: unknown[];
};
defineEmailElement(createPosternClient(page.settings));

const root = document.getElementById('root') as HTMLElement;
root.innerHTML = `
  <form method="post" action="/sign-up">
    <postern-email><label>Email <input name="email" type="email" required></label></postern-email>
    <button>Sign up</button>
  </form>
  <form id="own">
    <postern-email></postern-email>
    <output></output>
    <button>Send</button>
  </form>`;
const own = root.querySelector('#own') as HTMLFormElement;
own.addEventListener('postern:change', (event) => {
  (own.querySelector('output') as HTMLOutputElement).value = (event as CustomEvent).detail.status;
});
own.addEventListener('submit', (event) => {
  event.preventDefault();
  page.signUps.push(Object.fromEntries(new FormData(own)));
});
// As a framework does that fills the element later.
setTimeout(() =>
  own
    .querySelector('postern-email')
    ?.insertAdjacentHTML('beforeend', '<input aria-label="Own" name="email">'),
);
