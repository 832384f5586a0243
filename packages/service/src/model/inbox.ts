import { getDomain } from 'tldts';
import type { EmailAddress } from './email-address.ts';
import { MAIL_HOSTINGS, MAIL_PROVIDERS, type MailHosting, type MailProvider } from './mail-providers.ts';
import type { MailRoute } from './mail-route.ts';
import { type RelayDomain, relayOf } from './relays.ts';
import { whenReady } from './when-ready.ts';

type AliasKind = 'none' | 'tag' | 'dots' | 'subdomain' | 'domain' | 'relay';

/** The inbox that an address reaches. */
export interface Inbox {
  /** The canonical address of the inbox. The normalised address itself if no rule applies. */
  readonly canonical: string;
  /** The inbox that it probably is, if a less certain rule applies too. */
  readonly family?: string;
  readonly kind: AliasKind;
  /** Whose rules were applied. */
  readonly provider?: string;
}

const PROVIDERS: ReadonlyMap<string, MailProvider> = new Map(
  MAIL_PROVIDERS.flatMap((provider) => provider.domains.map((domain) => [domain, provider] as const)),
);
const HOSTINGS: ReadonlyMap<string, MailHosting> = new Map(
  MAIL_HOSTINGS.flatMap((hosting) => hosting.hosts.map((host) => [host, hosting] as const)),
);

/**
 * Finds the inbox, first by the domain’s own provider, then by its mail host. DNS is asked only if the address has
 * something that a mail host could treat as a variant, so most results are synchronous.
 */
export function findInbox(address: EmailAddress, mailRoute: () => MailRoute): Inbox;
export function findInbox(
  address: EmailAddress,
  mailRoute: () => MailRoute | Promise<MailRoute>,
): Inbox | Promise<Inbox>;
export function findInbox(
  address: EmailAddress,
  mailRoute: () => MailRoute | Promise<MailRoute>,
): Inbox | Promise<Inbox> {
  const local = plainLocal(address);
  if (local === undefined) return { canonical: address.normalized, kind: 'none' };
  const domain = address.asciiDomain;

  const provider = PROVIDERS.get(domain);
  if (provider !== undefined) return atProvider(local, domain, provider);
  const relay = relayOf(domain);
  if (relay !== undefined) return atRelay(local, domain, relay);
  const dot = domain.indexOf('.');
  const parent = domain.slice(dot + 1);
  const parentProvider = PROVIDERS.get(parent);
  if (parentProvider?.subdomains === true && dot > 0) {
    return {
      canonical: `${domain.slice(0, dot)}@${parent}`,
      kind: 'subdomain',
      provider: parentProvider.name,
    };
  }

  if (tagStart(local, '+') < 0 && !isSubdomain(domain))
    return { canonical: `${local}@${domain}`, kind: 'none' };
  return whenReady(mailRoute(), (route) => atMailHost(local, domain, hostingOf(route)));
}

/**
 * The domain without labels that may be an account’s name. Some mail hosts deliver `anything@jane.example.com` to
 * `jane@example.com`. If DNS cannot tell who hosts the mail, every label before the registered domain may be a name.
 */
export function domainWithoutAccount(
  domain: string,
  mailRoute: () => MailRoute | Promise<MailRoute>,
): string | Promise<string> {
  const provider = subdomainProvider(domain) ?? relayOf(domain)?.domain;
  if (provider !== undefined) return provider;
  const registered = registeredDomain(domain);
  if (registered === undefined || registered === domain) return domain;
  return whenReady(mailRoute(), (route) =>
    route.status === 'unknown' || hostingOf(route)?.subdomains === true ? registered : domain,
  );
}

/** The provider’s own domain if a label before it is an account’s name: `fastmail.com` for `jane.fastmail.com`. */
export function subdomainProvider(domain: string): string | undefined {
  for (let dot = domain.indexOf('.'); dot > 0; dot = domain.indexOf('.', dot + 1)) {
    const parent = domain.slice(dot + 1);
    if (PROVIDERS.get(parent)?.subdomains === true) return parent;
  }
  return undefined;
}

/** The local part without needless quotes (RFC 5321 §4.1.2); `undefined` where no provider’s rule can apply. */
function plainLocal(address: EmailAddress): string | undefined {
  if (address.literal) return undefined;
  if (!address.quoted) return address.local;
  const inner = address.local.slice(1, -1);
  for (let at = 0; at < inner.length; at++) {
    if (!isPlain(inner.charCodeAt(at))) return undefined;
  }
  return inner === '' || inner.startsWith('.') || inner.endsWith('.') || inner.includes('..')
    ? undefined
    : inner;
}

/** Letters, digits and the punctuation that providers allow in names. With anything else the quotes are needed. */
function isPlain(code: number): boolean {
  if ((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)) return true;
  return code === 0x2b || code === 0x2d || code === 0x2e || code === 0x5f;
}

function atProvider(local: string, domain: string, provider: MailProvider): Inbox {
  const plus = provider.plusInNames === true ? -1 : tagStart(local, '+');
  const tag = tagStart(local, provider.tags);
  // A plus before the provider’s own separator, or where the provider documents none, is a tag only by convention.
  const guessed = plus > 0 && (tag < 0 || plus < tag);
  const tagged = tag > 0 && !guessed;
  const base = tagged ? local.slice(0, tag) : local;
  const compared = asCompared(base, provider);
  const inboxDomain = provider.inboxDomain ?? domain;
  const canonical = `${compared}@${inboxDomain}`;
  const kind = kindOf({
    tagged: tagged || guessed,
    dotted: compared !== base,
    renamed: inboxDomain !== domain,
  });
  const family = guessed
    ? { family: `${asCompared(local.slice(0, plus), provider)}@${inboxDomain}` }
    : undefined;
  return { canonical, ...family, kind, provider: provider.name };
}

function kindOf(differs: { tagged: boolean; dotted: boolean; renamed: boolean }): AliasKind {
  if (differs.tagged) return 'tag';
  if (differs.dotted) return 'dots';
  return differs.renamed ? 'domain' : 'none';
}

/** The local part as the provider compares it. */
function asCompared(local: string, provider: MailProvider): string {
  let compared = local;
  for (const ignored of provider.ignored ?? '') compared = compared.replaceAll(ignored, '');
  if (provider.equal !== undefined) compared = compared.replaceAll(provider.equal[0], provider.equal[1]);
  return compared === '' ? local : compared;
}

function atRelay(local: string, domain: string, { relay, domain: relayDomain }: RelayDomain): Inbox {
  const plus = tagStart(local, '+');
  const base = plus > 0 ? local.slice(0, plus) : local;
  const canonical = `${relay.tags === true ? base : local}@${domain}`;
  const account = domain.slice(0, -relayDomain.length - 1);
  // Everything under the account’s own subdomain belongs to its owner, whichever inbox it is forwarded to.
  const family =
    relay.userSubdomains === true && account !== '' ? `${account}@${relayDomain}` : `${base}@${domain}`;
  return { canonical, ...(family !== canonical && { family }), kind: 'relay', provider: relay.operator };
}

function atMailHost(local: string, domain: string, hosting: MailHosting | undefined): Inbox {
  const plus = tagStart(local, '+');
  const typed = `${local}@${domain}`;
  const untagged = plus > 0 ? `${local.slice(0, plus)}@${domain}` : typed;
  if (plus > 0) {
    return hosting === undefined
      ? { canonical: typed, family: untagged, kind: 'tag' }
      : { canonical: untagged, kind: 'tag', provider: hosting.name };
  }
  if (hosting?.subdomains !== true || !isSubdomain(domain)) return { canonical: typed, kind: 'none' };
  const dot = domain.indexOf('.');
  const family = `${domain.slice(0, dot)}@${domain.slice(dot + 1)}`;
  return { canonical: typed, family, kind: 'none', provider: hosting.name };
}

/** Where the tag begins, its separator included; -1 if there is none, or if nothing would be left before it. */
function tagStart(local: string, separators: string): number {
  let first = -1;
  for (const separator of separators) {
    const at = local.indexOf(separator);
    if (at > 0 && (first < 0 || at < first)) first = at;
  }
  return first;
}

/** Whether the domain is a subdomain of a registered one. */
function isSubdomain(domain: string): boolean {
  const registered = registeredDomain(domain);
  return registered !== undefined && registered !== domain;
}

/** The registered part of the domain. Domains of two labels are not looked up. */
function registeredDomain(domain: string): string | undefined {
  const dot = domain.indexOf('.');
  if (dot < 0 || !domain.includes('.', dot + 1)) return domain;
  const options = { allowPrivateDomains: true, extractHostname: false, detectIp: false };
  return getDomain(domain, options) ?? undefined;
}

/** The hosting company of the mail host with the best preference. */
function hostingOf(route: MailRoute): MailHosting | undefined {
  if (route.status !== 'found' || route.implicit) return undefined;
  let first = route.hosts[0];
  for (const host of route.hosts) {
    if (first === undefined || host.priority < first.priority) first = host;
  }
  let name = first?.exchange.toLowerCase() ?? '';
  if (name.endsWith('.')) name = name.slice(0, -1);
  while (name !== '') {
    const hosting = HOSTINGS.get(name);
    if (hosting !== undefined) return hosting;
    const dot = name.indexOf('.');
    name = dot < 0 ? '' : name.slice(dot + 1);
  }
  return undefined;
}
