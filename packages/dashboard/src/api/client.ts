import {
  CSRF_HEADER,
  DASHBOARD_API,
  DASHBOARD_AUTH,
  type DashboardError,
  IDLE_HEADER,
} from '@postern/contract/dashboard';
import type { AnswerOf, AskedOf, BodyOf, ParamsOf, RouteName } from '@postern/contract/dashboard-routes';
import { reportService } from './service-state.ts';

const IDLE_AFTER_MS = 2 * 60_000;
const SIGNS_OF_LIFE = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

let usedAt = Date.now();
const note = () => {
  usedAt = Date.now();
};
if (typeof window !== 'undefined')
  for (const name of SIGNS_OF_LIFE) window.addEventListener(name, note, { capture: true, passive: true });

/** Whether the member has not touched this page for a while. It still asks the service for news. */
const isIdle = () => Date.now() - usedAt > IDLE_AFTER_MS;

/** A failed request. The message is for people. `status` is 0 if the service could not be reached. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly field: string | undefined;
  /** Whether a 401 says that the session is over, and not that a password or a code was wrong. */
  readonly sessionEnded: boolean;

  constructor(status: number, message: string, field?: string, sessionEnded = false) {
    super(message);
    this.name = 'ApiFailure';
    this.status = status;
    this.field = field;
    this.sessionEnded = sessionEnded;
  }
}

export type Params = Readonly<Record<string, string | number | undefined>>;

/** The time zone of the browser. Charts use its days. */
export const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

let csrf = '';

/** From now on, every change is sent with the session’s token. */
export function rememberCsrf(token: string): void {
  csrf = token;
}

/** What is sent with a route: its parameters and query, then its body. */
type Arguments<Name extends RouteName> =
  BodyOf<Name> extends object
    ? [asked: AskedOf<Name>, sent: { readonly body: BodyOf<Name>; readonly signal?: AbortSignal }]
    : [ParamsOf<Name>] extends [never]
      ? [asked?: AskedOf<Name>, sent?: { readonly signal?: AbortSignal }]
      : [asked: AskedOf<Name>, sent?: { readonly signal?: AbortSignal }];

/**
 * Calls a route of the dashboard’s API: `api('GET /projects/:id/keys', { id })`. Parameters of the path and names of the
 * query are together in the second argument.
 */
export function api<Name extends RouteName>(
  route: Name,
  ...[asked, sent]: Arguments<Name>
): Promise<AnswerOf<Name>> {
  const { body, signal }: { body?: unknown; signal?: AbortSignal } = sent ?? {};
  const { method, url } = locate(route, asked);
  return send(method, url, body ?? (method === 'POST' ? {} : undefined), signal);
}

/** The address of a route that the browser opens by itself: a file, a stream. */
export function apiUrl<Name extends RouteName & `GET ${string}`>(route: Name, asked: AskedOf<Name>): string {
  return locate(route, asked).url;
}

function locate(route: RouteName, asked: Params = {}): { method: string; url: string } {
  const [method = '', path = ''] = route.split(' ');
  const rest = new Map(Object.entries(asked));
  const filled = path.replace(/:(\w+)/g, (_all, name: string) => {
    const value = String(rest.get(name));
    rest.delete(name);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const [name, value] of rest) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  return { method, url: `${DASHBOARD_API}${filled}${query.size === 0 ? '' : `?${query}`}` };
}

/** Sign-in, password and second factor, under the paths of the authentication library. */
export function postAuth<T>(path: string, body: unknown = {}): Promise<T> {
  return send<T>('POST', `${DASHBOARD_AUTH}${path}`, body);
}

/** The lines of a streamed answer, as they arrive. */
export async function* apiLines<Name extends RouteName>(
  route: Name,
  asked: AskedOf<Name>,
  { body, signal }: { readonly body: BodyOf<Name>; readonly signal: AbortSignal },
): AsyncGenerator<string> {
  const { method, url } = locate(route, asked);
  const response = await request(method, url, body, signal);
  if (!response.ok) throw await failureOf(response, url);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const chunk = await reader?.read();
    const lines = (rest + (chunk?.value ?? '')).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (chunk === undefined || chunk.done) return;
  }
}

async function send<T>(method: string, url: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const response = await request(method, url, body, signal);
  if (!response.ok) throw await failureOf(response, url);
  return (await response.json().catch(() => undefined)) as T;
}

async function request(
  method: string,
  url: string,
  body: unknown,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const changing = method !== 'GET';
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (changing && csrf !== '') headers[CSRF_HEADER] = csrf;
  if (!changing && isIdle()) headers[IDLE_HEADER] = '1';
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  try {
    const response = await fetch(url, {
      method,
      headers,
      credentials: 'same-origin',
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
    // A proxy answers with these while the service behind it is stopped.
    reportService(response.status !== 502 && response.status !== 504);
    return response;
  } catch (error) {
    if (signal?.aborted) throw error;
    reportService(false);
    throw new ApiFailure(0, 'The service does not answer. Check that it is running, then try again.');
  }
}

async function failureOf(response: Response, url: string): Promise<ApiFailure> {
  const { status } = response;
  const answer = ((await response.json().catch(() => undefined)) ?? {}) as Partial<DashboardError> & {
    message?: unknown;
  };
  // The authentication library says `message` where the rest of the API says `error`.
  const text = typeof answer.error === 'string' ? answer.error : answer.message;
  const message = typeof text === 'string' && text !== '' ? text : defaultMessage(status);
  return new ApiFailure(status, message, answer.field, status === 401 && !url.startsWith(DASHBOARD_AUTH));
}

function defaultMessage(status: number): string {
  if (status === 401) return 'Your session has ended. Sign in again.';
  if (status === 403) return 'Your role does not allow this. Ask an owner of the workspace.';
  if (status === 404) return 'This does not exist or was removed.';
  if (status === 429) return 'Too many attempts. Wait a minute, then try again.';
  if (status >= 500)
    return `The service failed (${status}). See its log for the reason, and the Health page for its state.`;
  return `The service refused this (${status}).`;
}

/** The text to show for whatever was thrown. */
export function failureText(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong. Try again.';
}
