import { checkRequest } from '@postern/sdk-node';
import { postern } from './lib/postern.js';

export async function proxy(request) {
  if (request.method !== 'POST') return undefined;
  const checked = await checkRequest(postern, request);
  return checked.accepted ? undefined : checked.response;
}

export const config = { matcher: '/api/newsletter' };
