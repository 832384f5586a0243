import { getSignUp, guardRequest } from '@postern/sdk-node';
import { postern } from '../../../lib/postern.js';

// Only sign-ups that passed get here.
export const POST = guardRequest(postern, (request) => new Response(`Welcome, ${getSignUp(request).email}!`));
