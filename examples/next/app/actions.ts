'use server';

import { checkFormData } from 'postern~sdk-node';
import { headers } from 'next/headers';
import { postern } from '../lib/postern';

export async function signUp(_previous: { message: string }, form: FormData) {
  const result = await checkFormData(postern, form, await headers());
  return { message: result.accepted ? `Welcome, ${result.email}!` : result.message };
}
