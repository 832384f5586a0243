import { CORS_ALLOWED_HEADERS, CORS_EXPOSED_HEADERS } from '@postern/contract';

/**
 * A preflight carries no key, so it cannot decide who is allowed. Every origin passes. The real response carries the
 * origin on success and on error, so that the page’s script can read both.
 */
export function preflightHeaders(origin: string | undefined): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin ?? '*',
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': CORS_ALLOWED_HEADERS,
    // Browsers cap this at two hours (Chromium) or a day (Firefox).
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
