import { type FetchJson, ProviderFault } from './company-fetch.ts';

/** What a provider says about itself (OpenID Connect Discovery 1.0). */
export interface ProviderDocument {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly jwks_uri: string;
  readonly userinfo_endpoint?: string;
  readonly token_endpoint_auth_methods_supported?: readonly string[];
  readonly id_token_signing_alg_values_supported?: readonly string[];
}

const LISTS = ['token_endpoint_auth_methods_supported', 'id_token_signing_alg_values_supported'] as const;
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const;

/** Reads and checks it. Throws ProviderFault. */
export async function readDiscovery(issuer: string, fetchJson: FetchJson): Promise<ProviderDocument> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const document = await fetchJson(url);
  // Section 4.3: otherwise one provider could answer in the name of another.
  if (document.issuer !== issuer)
    throw new ProviderFault(
      'misconfigured',
      `${url} says that the issuer is ${JSON.stringify(document.issuer)}, but POSTERN_OIDC_ISSUER is "${issuer}".`,
    );
  for (const name of ENDPOINTS) {
    const value = document[name];
    if (value === undefined && name === 'userinfo_endpoint') continue;
    if (typeof value !== 'string' || !URL.canParse(value) || !isSafe(value, issuer))
      throw new ProviderFault('misconfigured', `${url} has no usable ${name}.`);
  }
  for (const name of LISTS) {
    const value = document[name];
    if (value !== undefined && !(Array.isArray(value) && value.every((one) => typeof one === 'string')))
      throw new ProviderFault('misconfigured', `${url} has no usable ${name}.`);
  }
  return document as unknown as ProviderDocument;
}

/** Only a provider on this machine may be without TLS. */
function isSafe(url: string, issuer: string): boolean {
  return url.startsWith('https://') || (issuer.startsWith('http://') && url.startsWith('http://'));
}
