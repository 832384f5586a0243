import { checkRequest } from 'postern~sdk-node';
import { postern } from './lib/postern';

export async function proxy(request: Request) {
  if (request.method !== 'POST') return undefined;
  const checked = await checkRequest(postern, request);
  return checked.accepted ? undefined : checked.response;
}

export const config = { matcher: '/api/newsletter' };
