import { checkEvent, getSignUp } from '@postern/sdk-node';

export default defineEventHandler(async (event) => {
  const refused = await checkEvent(postern, event);
  if (refused) return refused;
  // As text: h3 sends a string as HTML, and an address can hold a script.
  setResponseHeader(event, 'Content-Type', 'text/plain; charset=utf-8');
  return `Welcome, ${getSignUp(event).email}!`;
});
