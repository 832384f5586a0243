import pg from 'pg';
import { StoreUnavailable } from '../store.ts';

const NO_PROMPT_ANSWER = 'The database did not answer in time. It is overloaded, blocked or unreachable.';
const BROKEN = 'The connection to the database broke. The server may be restarting.';
const NO_TLS =
  'TLS to the database failed. Check sslmode, and that the files of sslrootcert, sslcert and sslkey in POSTERN_DATABASE_URL are certificates and a key in PEM format that the server accepts.';
const UNTRUSTED =
  'The certificate of the database is not signed by a trusted CA. Name the CA’s file with sslrootcert in POSTERN_DATABASE_URL.';

/**
 * What a failure means, by SQLSTATE or by Node’s code. The server’s own words can contain addresses, names and data, so
 * they are not passed on. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  ECONNREFUSED:
    'The database refuses connections. Check that the server runs and that host and port in POSTERN_DATABASE_URL are right.',
  ENOENT: 'The database’s socket file does not exist. Check that the server runs.',
  EAI_AGAIN: 'The database’s host name cannot be resolved at the moment. Check the machine’s DNS.',
  ETIMEDOUT: NO_PROMPT_ANSWER,
  EHOSTUNREACH: 'There is no network route to the database.',
  ENETUNREACH: 'There is no network route to the database.',
  ECONNRESET: BROKEN,
  EPIPE: BROKEN,
  'connection-lost': BROKEN,
  'connect-timeout': NO_PROMPT_ANSWER,
  'no-free-connection':
    'All of this process’s connections to the database were in use for too long. The database is slow, or more requests arrive than it can take.',
  'answer-timeout': NO_PROMPT_ANSWER,
  '25006':
    'The database is a replica or set to read-only. Promote it, or name the primary in POSTERN_DATABASE_URL.',
  '40001': 'Concurrent transactions on the database got in each other’s way (serialization failure).',
  '40P01': 'Concurrent transactions on the database blocked each other (deadlock).',
  '53100': 'The database’s disk is full. Free some space there.',
  '53200': 'The database server is out of memory.',
  '53300':
    'The database has no connection left for this user. Raise max_connections or the role’s CONNECTION LIMIT, or run fewer processes.',
  '55000': 'The database does not accept connections at the moment.',
  '55P03': 'Another session holds a lock for too long, perhaps a migration. Look for it in pg_stat_activity.',
  '57014': 'The database took too long and the statement was cancelled.',
  '57P01': 'The database server is shutting down or an administrator closed the connection.',
  '57P02': 'The database server crashed and is restarting.',
  '57P03': 'The database server is starting up or shutting down.',
  '58030': 'The database server cannot read or write its disk.',
};

/** The same for failures that do not go away by waiting. */
const LASTING: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The database’s host name cannot be resolved. Check the host in POSTERN_DATABASE_URL.',
  EACCES:
    'This user may not use the database’s socket file. Check the permissions of the file and its folder.',
  'no-tls':
    'The database does not offer TLS. Switch it on there, or set sslmode=disable in POSTERN_DATABASE_URL.',
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  CERT_SIGNATURE_FAILURE: UNTRUSTED,
  CERT_HAS_EXPIRED: 'The certificate of the database has expired. Renew it there.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'The certificate of the database is for another host name. Use the name in the certificate in POSTERN_DATABASE_URL, or sslmode=verify-ca.',
  '08P01': 'A pooler in front of the database refuses the connection. Its log has the reason.',
  '28000':
    'The database does not let this user in: it may lack LOGIN, or pg_hba.conf does not allow it from here. The server’s log has the reason.',
  'no-password': 'The database asks for a password, and POSTERN_DATABASE_URL has none.',
  '28P01': 'The database refuses the user name or the password.',
  '3D000': 'The database named in POSTERN_DATABASE_URL does not exist on the server.',
  '42501':
    'The database user lacks a permission. Run `postern migrate` as a user who may create tables there, or grant it the right.',
};

/** The failure of an attempt to connect. */
export function explainConnect(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  return databaseUnavailable(connectCode(error), error);
}

/** The failure of a statement. Errors that are about the statement itself stay as they are. */
export function explainStatement(error: unknown): unknown {
  if (error instanceof StoreUnavailable || isOrdinary(error)) return error;
  if (isRefusal(error)) return databaseUnavailable(error.code ?? 'unknown', error);
  const code = error instanceof pg.DatabaseError ? error.code : statementCode(error);
  return databaseUnavailable(code ?? 'connection-lost', error);
}

/** The server itself answered that it did not execute the statement. */
function isRefusal(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.severity !== 'FATAL' && error.severity !== 'PANIC';
}

/**
 * Errors that say something about the statement, not about the server’s state: data (22), constraints (23),
 * syntax and names (42), raised by a function (P0).
 */
export function isOrdinary(error: unknown): boolean {
  return isRefusal(error) && error.code !== '42501' && /^(22|23|42|P0)/.test(error.code ?? '');
}

export function databaseUnavailable(code: string, cause?: unknown): StoreUnavailable {
  const parameter = /unsupported startup parameter(?: in options)?:? "?(\w{1,60})/.exec(
    messageOf(cause),
  )?.[1];
  if (parameter !== undefined) {
    return new StoreUnavailable(
      `A pooler in front of the database refuses the start-up parameter ${parameter}. Remove it from POSTERN_DATABASE_URL, or let the pooler ignore it.`,
      { code, lasting: true, cause },
    );
  }
  const lasting = LASTING[code] ?? (/^ERR_(OSSL|SSL|TLS)_/.test(code) ? NO_TLS : undefined);
  const says =
    lasting ??
    EXPLANATIONS[code] ??
    `The database reports an error (${code}). The server’s log has the details.`;
  return new StoreUnavailable(says, { code, lasting: lasting !== undefined, cause });
}

function connectCode(error: unknown): string {
  if (error instanceof pg.DatabaseError) return error.code ?? 'unknown';
  const text = messageOf(error);
  if (text === 'timeout exceeded when trying to connect') return 'no-free-connection';
  if (/timeout/i.test(text)) return 'connect-timeout';
  if (text.includes('does not support SSL')) return 'no-tls';
  if (text.includes('client password must be')) return 'no-password';
  return codeOf(error) ?? 'connection-lost';
}

function statementCode(error: unknown): string {
  return messageOf(error) === 'Query read timeout' ? 'answer-timeout' : (codeOf(error) ?? 'connection-lost');
}

/** Node tries every address of a name and reports the failures together. */
function codeOf(error: unknown): string | undefined {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  const { code } = (first ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
