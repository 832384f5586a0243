'use server';

import { checkFormData } from '@postern/sdk-node';
import { headers } from 'next/headers';
import { postern } from '../lib/postern.js';

export async function signUp(_previous, form) {
  const result = await checkFormData(postern, form, await headers());
  if (!result.accepted) return { message: result.message };
  return { message: `Welcome, ${result.email}!` };
}
