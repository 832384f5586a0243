import { createReadStream } from 'node:fs';
import { DASHBOARD_API } from '@postern/contract/dashboard';
import { DASHBOARD_ROUTES, type RouteName } from '@postern/contract/dashboard-routes';
import type { Command } from 'commander';
import { withOperations } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { ExpectedError, UsageError } from '../failure.ts';
import { readBounded } from '../read-bounded.ts';

/** No route takes more. */
const MAX_BYTES = 8 * 1024 * 1024;

interface Options {
  readonly body?: string;
  readonly url?: string;
  readonly json?: true;
}

/** A route of the dashboard’s API with the values that a request has for it. */
interface Request {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly name: RouteName;
  readonly asked: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export function addApi(parent: Command, context: CommandContext): void {
  parent
    .command('api')
    .summary('call an operation of the dashboard’s API')
    .description(
      'Calls one route of the dashboard’s API and prints its answer as JSON. Without --url it works on the store, like every command, and needs no account.',
    )
    .argument('<route>', "method and path, such as 'GET /projects/shop/rules?days=7'")
    .option('--body <json>', 'the body: JSON, or @file; @- for standard input')
    .option('--url <url>', 'a running service; POSTERN_ACCESS_TOKEN has an access token of its dashboard')
    .option('--json', 'print one JSON document, which it does anyway')
    .addHelpText(
      'after',
      `
Examples:
  postern api 'GET /projects/shop/webhooks'
  postern api 'PATCH /webhooks/wh_1' --body '{"paused": true}'
  postern api 'GET /projects/shop/review?limit=5' --url https://postern.example

docs/dashboard-api.md lists the routes.`,
    )
    .action((route: string, options: Options) => callApi(route, options, context));
}

async function callApi(route: string, options: Options, context: CommandContext): Promise<void> {
  const request = readRequest(route, await readBody(options.body, context));
  const { url } = options;
  const answer = url === undefined ? await onStore(request, context) : await ask(url, request, context);
  if (typeof answer === 'string') context.terminal.out(answer);
  else printJson(context, answer ?? {});
}

async function onStore({ name, asked, body }: Request, context: CommandContext): Promise<unknown> {
  const { storeRoutes } = await import('@postern/service/dashboard-api/store-routes');
  // A file is written into the audit log by the service that sends it.
  if (!Object.hasOwn(storeRoutes, name) || name.endsWith('.csv'))
    throw new UsageError(`${name} needs a running service: name it with --url.`);
  const known = name as keyof typeof storeRoutes;
  return withOperations(context, (call) => call(known, asked as never, body as never));
}

async function ask(url: string, { method, path, body }: Request, context: CommandContext): Promise<unknown> {
  const token = context.environment.POSTERN_ACCESS_TOKEN ?? '';
  if (token === '')
    throw new UsageError('Set POSTERN_ACCESS_TOKEN to an access token. People create theirs under Account.');
  if (!URL.canParse(url)) throw new UsageError(`--url '${url}' is not a URL.`);
  const response = await fetch(new URL(DASHBOARD_API + path, url), {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    // A redirect could lead to a host that must not get the token.
    redirect: 'error',
  }).catch((cause: Error) => {
    throw new ExpectedError(`${url} cannot be reached: ${cause.message}`, { cause });
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const answer: unknown = isJson ? JSON.parse(text) : text;
  if (response.ok) return answer === '' ? undefined : answer;
  const { error = `status ${response.status}` } = isJson ? (answer as { error?: string }) : {};
  throw new ExpectedError(error);
}

function readRequest(route: string, body: unknown): Request {
  const [, method = '', path = ''] = /^([A-Z]+) (\/\S*)$/.exec(route.trim()) ?? [];
  if (path === '')
    throw new UsageError(`'${route}' is not a method and a path, such as 'GET /projects/shop/rules'.`);
  const [plain = '', query = ''] = path.split('?');
  const parts = plain.split('/').map(decoded);
  const names = Object.keys(DASHBOARD_ROUTES).filter((name) => {
    const [wanted, template = ''] = name.split(' ');
    const expected = template.split('/');
    return (
      wanted === method &&
      expected.length === parts.length &&
      expected.every((part, index) => (part.startsWith(':') ? parts[index] !== '' : part === parts[index]))
    );
  });
  // `/rules/check` is meant before `/rules/:rule`.
  const [name] = names.sort((a, b) => a.split(':').length - b.split(':').length);
  if (name === undefined)
    throw new UsageError(`There is no route '${method} ${plain}'. docs/dashboard-api.md lists them.`);
  const template = name.split(' ')[1]?.split('/') ?? [];
  const params = template.flatMap((part, index) =>
    part.startsWith(':') ? [[part.slice(1), parts[index] ?? '']] : [],
  );
  const asked = Object.fromEntries([...new URLSearchParams(query), ...params]);
  return { method, path, name: name as RouteName, asked, body };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new UsageError(`'${part}' is not part of a path: a % needs two digits behind it.`);
  }
}

async function readBody(given: string | undefined, { input }: CommandContext): Promise<unknown> {
  if (given === undefined) return undefined;
  const text = given.startsWith('@') ? await readNamed(given.slice(1), input) : given;
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError('--body is not JSON.');
  }
}

async function readNamed(file: string, input: AsyncIterable<Uint8Array>): Promise<string> {
  try {
    const bytes = await readBounded(file === '-' ? input : createReadStream(file), MAX_BYTES);
    if (bytes !== undefined) return bytes.toString('utf8');
  } catch (error) {
    throw new UsageError(`${file}: cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  throw new UsageError(`${file}: a body has at most ${MAX_BYTES / 1024 / 1024} MB.`);
}
