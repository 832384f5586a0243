import type { CompanyProblem } from '@postern/contract/dashboard';
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose';
import type { OutgoingProxy } from '../../events/safe-fetch/outgoing-proxy.ts';
import type { Claims } from '../../model/company-roles.ts';
import { sameSecret } from '../../model/same-secret.ts';
import { type ProviderDocument, readDiscovery } from './company-discovery.ts';
import { createFetchJson, type FetchJson, ProviderFault } from './company-fetch.ts';

/** The provider that a company signs in with, as the settings name it. */
export interface CompanySettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: string;
  readonly proxy: OutgoingProxy | undefined;
}

/** The secrets of one sign-in, which its browser began. */
export interface SignInFlow {
  readonly state: string;
  readonly nonce: string;
  /** PKCE (RFC 7636). */
  readonly verifier: string;
  readonly challenge: string;
}

/** A sign-in that did not work. `problem` is for the person, the message for the log. */
export class CompanySignInFailed extends Error {
  override readonly name = 'CompanySignInFailed';
  readonly problem: CompanyProblem;

  constructor(problem: CompanyProblem, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.problem = problem;
  }
}

/** Clocks of two machines differ a little. */
const CLOCK_TOLERANCE_SECONDS = 60;
const CLOCKS_DIFFER =
  ' If the token is new, the clocks of the provider and of this machine differ by more than a minute.';
/** How often strangers can make us ask for keys. */
const LOGOUT_KEYS_EVERY_MS = 30_000;
const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout';
/** The token was issued for this sign-in, seconds ago. */
const MAX_TOKEN_AGE = '10m';
/** Long enough that many sign-ins ask once, short enough that no member is sent to a provider that is down. */
const DISCOVERED_FOR_MS = 60_000;
/** Signatures that need no shared secret. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

interface Discovered {
  readonly document: ProviderDocument;
  readonly keys: ReturnType<typeof createRemoteJWKSet>;
  readonly logoutKeys: ReturnType<typeof createRemoteJWKSet>;
  readonly at: number;
}

/** OpenID Connect’s authorization code flow with PKCE and nonce (OpenID Connect Core 1.0, section 3.1). */
export function createCompanyProvider(settings: CompanySettings, now: () => number) {
  const fetchJson = createFetchJson(settings.proxy);
  let known: Discovered | undefined;
  let reading: Promise<Discovered> | undefined;
  const read = async (): Promise<Discovered> => {
    const document = await readDiscovery(settings.issuer, fetchJson);
    // A new key is fetched when a token names one that is not known. ID tokens come from the provider itself, so only it
    // can cause that; a logout token can come from anywhere.
    const uri = document.jwks_uri;
    const { keys, logoutKeys } =
      known?.document.jwks_uri === uri
        ? known
        : { keys: keysAt(uri, 0, fetchJson), logoutKeys: keysAt(uri, LOGOUT_KEYS_EVERY_MS, fetchJson) };
    known = { document, keys, logoutKeys, at: now() };
    return known;
  };
  /** What is known is good enough to finish a sign-in, but not to send a member to a page that may not answer. */
  const discovered = async (mustAnswer: boolean): Promise<Discovered> => {
    if (known !== undefined && now() - known.at < DISCOVERED_FOR_MS) return known;
    try {
      // Everybody who waits for a slow provider waits for one answer.
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return await reading;
    } catch (fault) {
      if (known === undefined || mustAnswer) throw failed(fault);
      return known;
    }
  };

  return {
    /** The page of the provider that the person is sent to. */
    async begin(flow: SignInFlow, redirectUri: string): Promise<string> {
      const { document } = await discovered(true);
      const url = new URL(document.authorization_endpoint);
      const query = {
        response_type: 'code',
        client_id: settings.clientId,
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: flow.challenge,
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return url.href;
    },
    /** The claims of the person who comes back with this code, verified. */
    async finish(code: string, flow: SignInFlow, redirectUri: string): Promise<Claims & { sub: string }> {
      const { document, keys } = await discovered(false);
      const { id_token: idToken, access_token: accessToken } = await exchange(fetchJson, settings, document, {
        code,
        redirect_uri: redirectUri,
        code_verifier: flow.verifier,
      }).catch((fault: unknown) => {
        throw failed(fault);
      });
      const claims = await verified(idToken, keys, settings, document, flow.nonce);
      return { ...(await userInfo(fetchJson, document, accessToken, claims.sub)), ...claims };
    },
    /** Whose sessions the provider ends (OpenID Connect Back-Channel Logout 1.0, section 2.6). */
    async endedSubject(logoutToken: unknown): Promise<string> {
      const { document, logoutKeys } = await discovered(false);
      const { events, nonce, sub } = await readToken(logoutToken, logoutKeys, settings, document, ['sub']);
      if (
        typeof events !== 'object' ||
        events === null ||
        !Object.hasOwn(events, LOGOUT) ||
        nonce !== undefined
      )
        throw new CompanySignInFailed('invalid', 'The token is no logout token.');
      return sub;
    },
  };
}

export type CompanyProvider = ReturnType<typeof createCompanyProvider>;

const keysAt = (url: string, cooldownDuration: number, fetchJson: FetchJson) =>
  createRemoteJWKSet(new URL(url), {
    cooldownDuration,
    // With our limits of size and time.
    [customFetch]: async () => Response.json(await fetchJson(url)),
  });

function exchange(
  fetchJson: FetchJson,
  { clientId, clientSecret }: CompanySettings,
  document: ProviderDocument,
  form: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const methods = document.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const inBody = !methods.includes('client_secret_basic');
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    ...form,
    ...(inBody && { client_id: clientId, client_secret: clientSecret }),
  });
  // RFC 6749, section 2.3.1: both parts are form-encoded first.
  const encoded = [clientId, clientSecret].map((part) =>
    new URLSearchParams([['', part]]).toString().slice(1),
  );
  const basic = `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
  return fetchJson(document.token_endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(!inBody && { authorization: basic }),
    },
    body: body.toString(),
  });
}

/** A token that the provider signed for us. */
async function readToken(
  token: unknown,
  keys: Discovered['keys'],
  { clientId }: CompanySettings,
  document: ProviderDocument,
  requiredClaims: string[],
): Promise<JWTPayload & { sub: string }> {
  if (typeof token !== 'string') throw new CompanySignInFailed('invalid', 'There is no token.');
  const offered = document.id_token_signing_alg_values_supported ?? ALGORITHMS;
  const { payload } = await jwtVerify(token, keys, {
    issuer: document.issuer,
    audience: clientId,
    algorithms: ALGORITHMS.filter((name) => offered.includes(name)),
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    maxTokenAge: MAX_TOKEN_AGE,
    requiredClaims,
  }).catch((fault: unknown) => {
    if (fault instanceof ProviderFault) throw failed(fault);
    if (fault instanceof errors.JOSEError && !(fault instanceof errors.JWKSInvalid)) {
      const advice = / timestamp check failed/.test(fault.message) ? CLOCKS_DIFFER : '';
      throw new CompanySignInFailed('invalid', `The token is not valid: ${fault.message}.${advice}`, fault);
    }
    const reason = fault instanceof Error ? fault.message : String(fault);
    throw new CompanySignInFailed('misconfigured', `The provider’s keys cannot be used: ${reason}.`, fault);
  });
  const { sub } = payload;
  // OpenID Connect Core, section 2: at most 255 ASCII characters. PostgreSQL stores no NUL and indexes no long text.
  if (typeof sub !== 'string' || !/^[ -~]{1,255}$/.test(sub))
    throw new CompanySignInFailed('invalid', 'The token has no usable subject.');
  return { ...payload, sub };
}

async function verified(
  idToken: unknown,
  keys: Discovered['keys'],
  settings: CompanySettings,
  document: ProviderDocument,
  nonce: string,
): Promise<Claims & { sub: string }> {
  const payload = await readToken(idToken, keys, settings, document, ['sub', 'exp']);
  const { azp, aud } = payload;
  if (typeof payload.nonce !== 'string' || !sameSecret(payload.nonce, nonce))
    throw new CompanySignInFailed('invalid', 'The ID token has another nonce.');
  // OpenID Connect Core, section 3.1.3.7, 4 and 5.
  if ((azp !== undefined || (Array.isArray(aud) && aud.length > 1)) && azp !== settings.clientId)
    throw new CompanySignInFailed('invalid', 'The ID token was issued to another client (azp).');
  return payload;
}

/** Some providers tell groups and address only here. */
async function userInfo(
  fetchJson: FetchJson,
  document: ProviderDocument,
  accessToken: unknown,
  subject: string,
): Promise<Claims> {
  if (document.userinfo_endpoint === undefined || typeof accessToken !== 'string') return {};
  const claims = await fetchJson(document.userinfo_endpoint, {
    headers: { authorization: `Bearer ${accessToken}` },
  }).catch((fault: unknown) => {
    throw failed(fault);
  });
  // OpenID Connect Core, section 5.3.2: the answer could be about another person.
  if (claims.sub !== subject)
    throw new CompanySignInFailed('invalid', 'The userinfo endpoint answered about another subject.');
  return claims;
}

function failed(fault: unknown): CompanySignInFailed {
  if (fault instanceof CompanySignInFailed) return fault;
  const problem = fault instanceof ProviderFault ? fault.problem : 'unreachable';
  return new CompanySignInFailed(problem, fault instanceof Error ? fault.message : String(fault), fault);
}
