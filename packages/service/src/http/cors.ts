import { CORS_ALLOWED_HEADERS, CORS_EXPOSED_HEADERS } from '@postern/contract';

/**
 * No key travels with a preflight, so it says nothing about who may ask: any origin gets through, and the real
 * answer carries the origin on success and on error, so that the page’s script can read either.
 */
export function preflightHeaders(origin: string | undefined): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin ?? '*',
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': CORS_ALLOWED_HEADERS,
    // Browsers cut this to two hours (Chromium) or a day (Firefox).
    'Access-Control-Max-Age': '86400',
    Vary: 'Origin',
  };
}

export function corsHeaders(origin: string): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': CORS_EXPOSED_HEADERS,
  };
}
