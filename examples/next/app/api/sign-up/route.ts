import { getSignUp, guardRequest } from 'postern~sdk-node';
import { postern } from '../../../lib/postern';

// Only sign-ups that passed get here.
export const POST = guardRequest(postern, (request) => Response.json({ welcome: getSignUp(request).email }));
