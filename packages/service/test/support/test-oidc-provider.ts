import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';

interface Person {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
}

/** A real OpenID Connect provider on loopback, in which the person who asks is signed in at once. */
export interface TestProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who is known, by the subject. A person who is not gets `access_denied`. */
  readonly people: Map<string, Person>;
  /** Who signs in next. */
  person: string;
  /** Changes the ID token after it was made; it is signed again with the provider’s key, or with a stranger’s. */
  forge: ((claims: JWTPayload) => JWTPayload) | undefined;
  forgeWithOtherKey: boolean;
  /** The last request for tokens, the last page that people were sent to, and how often endpoints and keys were read. */
  readonly seen: {
    token?: URLSearchParams;
    authorization?: URLSearchParams;
    discoveries: number;
    keySets: number;
  };
  /** Whether it answers at all. */
  down: boolean;
  /** Allows people to be sent back there. */
  readonly register: (redirectUri: string) => Promise<void>;
  /** Signs with a new key from now on, and no longer publishes the old one. */
  readonly rotateKeys: () => Promise<void>;
  readonly sign: (claims: JWTPayload, withOtherKey: boolean) => Promise<string>;
  /** Tells the client that this person was signed out, as when an administrator removes them. */
  readonly signOut: (subject: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function startOidcProvider(host = '127.0.0.1'): Promise<TestProvider> {
  let handler: RequestListener = (_, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => {
    if (provider.down) return void request.socket.destroy();
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;
  let redirectUri = 'http://127.0.0.1/nowhere';
  let key = await newKey();
  let opened: Provider;
  const open = () => {
    opened = createProvider(provider, redirectUri, key);
    handler = opened.callback();
  };
  const provider: TestProvider = {
    issuer,
    clientId: 'postern',
    clientSecret: 'a secret: with + and %',
    people: new Map(),
    person: '',
    forge: undefined,
    forgeWithOtherKey: false,
    seen: { discoveries: 0, keySets: 0 },
    down: false,
    async register(uri) {
      redirectUri = uri;
      open();
    },
    async rotateKeys() {
      key = await newKey();
      open();
    },
    async sign(claims, withOtherKey) {
      const signer = withOtherKey ? await strangersKey : key;
      return new SignJWT({ iat: Math.floor(Date.now() / 1000), ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: key.jwk.kid })
        .sign(signer.privateKey);
    },
    async signOut(subject) {
      await (await opened.Client.find(provider.clientId))?.backchannelLogout(subject);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  open();
  return provider;
}

let keys = 0;
async function newKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  keys += 1;
  return {
    privateKey,
    jwk: { ...(await exportJWK(privateKey)), kid: `key-${keys}`, alg: 'RS256', use: 'sig' },
  };
}

/** Made early: on a busy machine it takes longer than the service waits for an answer. */
const strangersKey = newKey();

function createProvider(
  test: TestProvider,
  redirectUri: string,
  key: Awaited<ReturnType<typeof newKey>>,
): Provider {
  const configuration: Configuration = {
    clients: [
      {
        client_id: test.clientId,
        client_secret: test.clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        backchannel_logout_uri: redirectUri.replace(/callback$/, 'logout'),
      },
    ],
    jwks: { keys: [key.jwk] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    cookies: { keys: ['test'] },
    // Its own refuses loopback.
    fetch: (url: string, { method = 'GET', headers = {}, body = null }: RequestInit) =>
      fetch(url, { method, headers, body }),
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, subject) => ({
      accountId: subject,
      claims: async () => ({ sub: subject, ...test.people.get(subject) }),
    }),
    async loadExistingGrant(ctx) {
      const { oidc } = ctx;
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
  const provider = new Provider(test.issuer, configuration);
  provider.use(async (ctx, next) => {
    if (ctx.path.startsWith('/interaction/')) {
      const known = test.people.has(test.person);
      ctx.respond = false;
      return provider.interactionFinished(
        ctx.req,
        ctx.res,
        known ? { login: { accountId: test.person, remember: false } } : { error: 'access_denied' },
      );
    }
    if (ctx.path.startsWith('/.well-known/')) test.seen.discoveries += 1;
    if (ctx.path === '/jwks') test.seen.keySets += 1;
    if (ctx.path === '/auth') test.seen.authorization = new URLSearchParams(ctx.querystring);
    await next();
    if (ctx.path !== '/token') return;
    test.seen.token = new URLSearchParams(ctx.oidc.body ?? {});
    const body = ctx.body as { id_token?: string };
    if (test.forge === undefined || body.id_token === undefined) return;
    const [, payload = ''] = body.id_token.split('.');
    const claims = test.forge(JSON.parse(Buffer.from(payload, 'base64url').toString()) as JWTPayload);
    body.id_token = await test.sign(claims, test.forgeWithOtherKey);
  });
  return provider;
}
