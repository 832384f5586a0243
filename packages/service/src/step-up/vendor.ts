import type { CaptchaVendor } from '@postern/contract';
import type { SafeFetch } from '../events/safe-fetch/safe-fetch.ts';
import { openAnswer } from '../record/sealed-answer.ts';
import type { StepUpVendorRow } from '../store/tables/challenge-table.ts';

const VERIFY: Readonly<Record<CaptchaVendor, string>> = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
  recaptcha: 'https://www.google.com/recaptcha/api/siteverify',
  friendly: 'https://global.frcapi.com/api/v2/captcha/siteverify',
};
/** An answer of ours is due within two seconds. */
const TIMEOUT_MS = 1_500;

export interface VendorParts {
  readonly fetch: SafeFetch;
  /** Asked instead of the vendors, by the operator’s choice. */
  readonly vendorUrl: string | undefined;
  /** The installation’s own. */
  readonly secret: string;
}

/** Friendly Captcha names its faults in `error`, the others in `error-codes`. */
interface VendorAnswer {
  readonly success?: unknown;
  readonly 'error-codes'?: unknown;
  readonly error?: { readonly error_code?: unknown };
}

/** How a vendor’s secret is encrypted with the installation’s own. */
export const vendorSeal = (secret: string, projectId: string) => ({
  idempotencyKey: secret,
  body: Buffer.from(`step-up vendor ${projectId}`),
});

/** The vendor does not accept the site’s secret. No token that a person sends is answered with these. */
const REFUSES_SECRET = /-secret$|^auth_/;

/** Whether the vendor says that a token is right. Throws why if it does not say. */
export async function askVendor(
  { fetch, vendorUrl, secret }: VendorParts,
  { projectId, vendor, siteKey, sealed }: StepUpVendorRow,
  token: string,
): Promise<boolean> {
  const key = openAnswer(sealed, vendorSeal(secret, projectId));
  const request =
    vendor === 'friendly'
      ? {
          headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
          body: JSON.stringify({ response: token, sitekey: siteKey }),
        }
      : {
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ secret: key, response: token, sitekey: siteKey }).toString(),
        };
  const { status, bytes, cancel } = await fetch({
    ...request,
    url: vendorUrl ?? VERIFY[vendor],
    method: 'POST',
    maxBytes: 65_536,
    timeoutMs: TIMEOUT_MS,
    maxRedirects: 0,
    trustUrl: vendorUrl !== undefined,
  });
  if (status >= 500 || status === 429) {
    cancel();
    throw new Error(`${vendor} answers with status ${status}`);
  }
  const answer = JSON.parse((await bytes()).toString()) as VendorAnswer | null;
  if (answer?.success === true) return true;
  const codes = [answer?.['error-codes'], answer?.error?.error_code].flat().map(String);
  const refusal = status === 401 ? status : codes.find((code) => REFUSES_SECRET.test(code));
  if (refusal !== undefined) throw new Error(`${vendor} refuses the project’s secret (${refusal})`);
  return false;
}
