import { checkRequest } from 'postern~sdk-node';
import { fail } from '@sveltejs/kit';
import * as env from '$app/env/private';
import { postern } from '../../lib/postern.server';

export const load = () => ({
  settings: {
    baseUrl: env.POSTERN_URL ?? '',
    projectId: env.POSTERN_PROJECT_ID ?? '',
    apiKey: env.POSTERN_CLIENT_KEY ?? '',
  },
});

export const actions = {
  default: async ({ request, getClientAddress }) => {
    const checked = await checkRequest(postern, request, { clientIp: getClientAddress() });
    if (!checked.accepted) return fail(checked.refusal.status, { message: checked.refusal.message });
    return { message: `Welcome, ${checked.signUp.email}!` };
  },
};
