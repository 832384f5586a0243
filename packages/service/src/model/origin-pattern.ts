import { domainToAscii } from './idna.ts';

/** Schemes that apps and browser extensions send. A pattern must spell out such an origin in full. */
const APP_SCHEMES = [
  'app',
  'capacitor',
  'ionic',
  'tauri',
  'chrome-extension',
  'moz-extension',
  'safari-web-extension',
] as const;
type AppScheme = (typeof APP_SCHEMES)[number];
type WebScheme = 'http' | 'https';

/** One parsed entry of a project’s allowed domains. */
export interface OriginPattern {
  /** The pattern in canonical form. */
  readonly text: string;
  /** `undefined` means http and https. */
  readonly scheme: WebScheme | AppScheme | undefined;
  /** The host as an A-label in lower case; for `subdomains` the part after `*.`; for an app what follows `://`. */
  readonly host: string;
  readonly subdomains: boolean;
  /** `undefined` means the scheme’s default. */
  readonly port: number | '*' | undefined;
}

interface Origin {
  readonly scheme: WebScheme | AppScheme;
  readonly host: string;
  /** `undefined` means the scheme’s default. */
  readonly port: number | undefined;
}

const DEFAULT_PORTS = { http: 80, https: 443 } as const;
const MAX_LENGTH = 300;
const APP_ID = /^[a-z0-9_][a-z0-9._-]*$/;
const HOST_LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** Parses an allowed-domain pattern. `undefined` if the text is not one. */
export function parseOriginPattern(text: string): OriginPattern | undefined {
  let rest = text.trim().toLowerCase();
  if (rest.length > MAX_LENGTH) return undefined;

  const app = readApp(rest);
  if (app !== undefined) {
    return app === 'malformed' ? undefined : { text: rest, ...app, subdomains: false, port: undefined };
  }

  let scheme: WebScheme | undefined;
  if (rest.startsWith('https://')) scheme = 'https';
  else if (rest.startsWith('http://')) scheme = 'http';
  if (scheme !== undefined) rest = rest.slice(scheme.length + '://'.length);
  // People paste URLs from the address bar, so a trailing slash is ignored.
  if (rest.endsWith('/')) rest = rest.slice(0, -1);

  const subdomains = rest.startsWith('*.');
  const authority = readAuthority(subdomains ? rest.slice(2) : rest, true);
  if (authority === undefined) return undefined;
  const { host, port } = authority;
  const spelled = `${scheme === undefined ? '' : `${scheme}://`}${subdomains ? '*.' : ''}${host}${port === undefined ? '' : `:${port}`}`;
  return { text: spelled, scheme, host, subdomains, port };
}

/** Whether an `Origin` header’s value is in the list. A value that is not exactly one origin never matches. */
export function matchesOrigin(header: string, patterns: readonly OriginPattern[]): boolean {
  const origin = readOrigin(header);
  return origin !== undefined && patterns.some((pattern) => matches(pattern, origin));
}

function matches(pattern: OriginPattern, origin: Origin): boolean {
  if (isAppScheme(origin.scheme)) return pattern.scheme === origin.scheme && pattern.host === origin.host;
  if (pattern.scheme !== undefined && pattern.scheme !== origin.scheme) return false;
  if (pattern.port !== '*') {
    const wanted = pattern.port ?? DEFAULT_PORTS[origin.scheme];
    if (wanted !== (origin.port ?? DEFAULT_PORTS[origin.scheme])) return false;
  }
  if (!pattern.subdomains) return origin.host === pattern.host;
  return origin.host.length > pattern.host.length + 1 && origin.host.endsWith(`.${pattern.host}`);
}

/**
 * RFC 6454 section 6.2: scheme, host and the port unless it is the default. Nothing else. Clients send A-labels, so
 * other characters are a forgery: a soft hyphen in the host would disappear when it is normalised.
 */
function readOrigin(header: string): Origin | undefined {
  if (header.length > MAX_LENGTH || !/^[\x21-\x7e]+$/.test(header)) return undefined;
  const text = header.toLowerCase();
  const app = readApp(text);
  if (app !== undefined) return app === 'malformed' ? undefined : { ...app, port: undefined };
  const scheme = text.startsWith('https://') ? 'https' : text.startsWith('http://') ? 'http' : undefined;
  if (scheme === undefined) return undefined;
  const authority = readAuthority(text.slice(scheme.length + '://'.length), false);
  if (authority === undefined || authority.port === '*' || authority.port === DEFAULT_PORTS[scheme]) {
    return undefined;
  }
  return { scheme, host: authority.host, port: authority.port };
}

function isAppScheme(scheme: WebScheme | AppScheme): scheme is AppScheme {
  return scheme !== 'http' && scheme !== 'https';
}

/** An app’s or extension’s origin; `undefined` for any other scheme. */
function readApp(
  text: string,
): { readonly scheme: AppScheme; readonly host: string } | 'malformed' | undefined {
  const scheme = APP_SCHEMES.find((name) => text.startsWith(`${name}://`));
  if (scheme === undefined) return undefined;
  const host = text.slice(scheme.length + '://'.length);
  return APP_ID.test(host) ? { scheme, host } : 'malformed';
}

function readAuthority(
  text: string,
  wildcardPort: boolean,
): { host: string; port: number | '*' | undefined } | undefined {
  const bracket = text.startsWith('[') ? text.indexOf(']') : 0;
  const colon = text.indexOf(':', Math.max(bracket, 0));
  const rawHost = colon === -1 ? text : text.slice(0, colon);
  const rawPort = colon === -1 ? undefined : text.slice(colon + 1);

  const host = readHost(rawHost);
  if (host === undefined) return undefined;
  if (rawPort === undefined) return { host, port: undefined };
  if (rawPort === '*') return wildcardPort ? { host, port: '*' } : undefined;
  if (!/^[1-9][0-9]{0,4}$/.test(rawPort) || Number(rawPort) > 65_535) return undefined;
  return { host, port: Number(rawPort) };
}

function readHost(text: string): string | undefined {
  if (text.startsWith('[')) return /^\[[0-9a-f:.]+\]$/.test(text) ? text : undefined;
  const plain = /^[a-z0-9._-]+$/.test(text);
  if (!plain && /[\0-\x20/?#@\\%:<>^|*]/.test(text)) return undefined;
  const ascii = plain ? text : domainToAscii(text);
  if (ascii === undefined || ascii.length > 253) return undefined;
  return ascii.split('.').every((label) => HOST_LABEL.test(label)) ? ascii : undefined;
}
