import { guardRequest } from '@postern/sdk-node';
import { postern } from '../../../lib/postern.js';

// Only sign-ups that passed get here.
export const POST = guardRequest(postern, async (request) => {
  const form = await request.formData();
  return new Response(`Welcome, ${form.get('email')}!`);
});
