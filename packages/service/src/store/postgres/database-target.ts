import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type pg from 'pg';
import { whyUnreadable } from '../../model/why-unreadable.ts';
import { StoreUnavailable } from '../store.ts';

/** One server of the URL. */
export interface DatabaseHost {
  readonly host: string;
  readonly port: number;
}

/** What POSTERN_DATABASE_URL says, in libpq’s form: several hosts may be listed, separated by commas. */
export interface DatabaseTarget {
  readonly hosts: readonly DatabaseHost[];
  /** Whether a connection to a replica or a read-only server is refused, so that the next host is tried. */
  readonly needsPrimary: boolean;
  /** Hosts and database, for people. */
  readonly place: string;
  /** Everything but host and port. */
  readonly settings: pg.ClientConfig;
}

const DEFAULT_PORT = 5432;
const SHAPE = /^postgres(?:ql)?:\/\/([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;

export function parseDatabaseUrl(url: string): DatabaseTarget {
  const [matched, authority = '', path = '', query = ''] = SHAPE.exec(url) ?? [];
  const at = authority.lastIndexOf('@');
  const [user = '', ...password] = at < 0 ? [] : authority.slice(0, at).split(':');
  const parameters = new Map(new URLSearchParams(query));
  const take = (name: string): string | undefined => {
    const value = parameters.get(name);
    parameters.delete(name);
    return value;
  };
  const hosts = hostsOf(authority.slice(at + 1), take('host'), take('port'));
  const database = decoded(path);
  if (matched === undefined || hosts === undefined || database === undefined) throw unreadable();
  const ssl = sslOf(take);
  const session = take('target_session_attrs') ?? (hosts.length > 1 ? 'read-write' : 'any');
  if (!['any', 'read-write', 'primary'].includes(session))
    throw badSetting(
      'target_session_attrs in POSTERN_DATABASE_URL must be any, read-write or primary, because Postern writes',
    );
  return {
    hosts,
    needsPrimary: session !== 'any',
    place: `${hosts.map(({ host, port }) => `${host}:${port}`).join(',')}/${database}`,
    settings: {
      application_name: 'postern',
      ...Object.fromEntries(parameters),
      ...(user !== '' && { user: readable(user) }),
      ...(password.length > 0 && { password: readable(password.join(':')) }),
      ...(database !== '' && { database }),
      ...(ssl !== undefined && { ssl }),
    },
  };
}

/** `a:5432,b` or `[::1]:5432`, or the parameters `host` and `port`. `undefined` if they cannot be read. */
function hostsOf(
  authority: string,
  hostParameter: string | undefined,
  portParameter: string | undefined,
): DatabaseHost[] | undefined {
  const written = (hostParameter ?? authority).split(',');
  const ports = portParameter?.split(',') ?? [];
  const hosts: DatabaseHost[] = [];
  for (const [index, text] of written.entries()) {
    const [, bracketed, plain, ownPort] = /^(?:\[([^\]]+)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
    const host = decoded(bracketed ?? plain ?? '\0');
    const port = Number(ownPort ?? ports[index] ?? ports[0] ?? DEFAULT_PORT);
    if (host === undefined || host.includes('\0') || !(port > 0 && port < 65_536)) return undefined;
    hosts.push({ host: host === '' ? 'localhost' : host, port });
  }
  return hosts;
}

/**
 * Certificates are checked unless the URL says otherwise: `require` and `prefer` mean the same as `verify-full`. Drivers
 * differ here, and the strict meaning cannot surprise anybody.
 */
function sslOf(take: (name: string) => string | undefined): ConnectionOptions | false | undefined {
  const mode = take('sslmode') ?? take('ssl');
  const files = {
    ca: readPem('sslrootcert', take('sslrootcert')),
    cert: readPem('sslcert', take('sslcert')),
    key: readPem('sslkey', take('sslkey')),
  };
  const given = Object.fromEntries(Object.entries(files).filter(([, pem]) => pem !== undefined));
  if (mode === undefined) return Object.keys(given).length > 0 ? given : undefined;
  const options = SSL_MODES.get(mode);
  if (options === undefined)
    throw badSetting(
      'sslmode in POSTERN_DATABASE_URL must be disable, require, verify-ca, verify-full or no-verify',
    );
  return options && { ...given, ...options };
}

const SSL_MODES = new Map<string, ConnectionOptions | false>([
  ...['disable', 'false', '0'].map((mode) => [mode, false] as const),
  ['no-verify', { rejectUnauthorized: false }],
  ['verify-ca', { checkServerIdentity: () => undefined }],
  ...['prefer', 'require', 'verify-full', 'true', '1'].map((mode) => [mode, {}] as const),
]);

function readPem(parameter: string, file: string | undefined): string | undefined {
  if (file === undefined || file === 'system') return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw badSetting(`${parameter} in POSTERN_DATABASE_URL: ${file} ${whyUnreadable(cause)}`, cause);
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function readable(text: string): string {
  const result = decoded(text);
  if (result === undefined) throw unreadable();
  return result;
}

/** The URL contains a password, so the message does not repeat it. */
function unreadable(): StoreUnavailable {
  return badSetting(
    'POSTERN_DATABASE_URL cannot be read; write postgres://user:password@host:port/database, with several hosts as ' +
      'host1:port,host2:port, and in user and password %2F for /, %23 for #, %3F for ?, %40 for @, %25 for %',
  );
}

function badSetting(message: string, cause?: unknown): StoreUnavailable {
  return new StoreUnavailable(message, { code: 'bad-setting', lasting: true, cause });
}
