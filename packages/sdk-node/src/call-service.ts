import {
  type ClientOptions,
  errorAnswer,
  posternError,
  readAnswer,
  type ServerFallback,
} from 'postern~sdk/core';
import { serviceUrl } from './service-url.ts';

export type ServiceOptions = Pick<
  ClientOptions<ServerFallback>,
  'baseUrl' | 'projectId' | 'apiKey' | 'fetch' | 'timeoutMs'
>;

type HttpAnswer = Awaited<ReturnType<typeof readAnswer>>;

const DEFAULT_TIMEOUT_MS = 5_000;

/** Asks the service for what only backends may. Rejects with a `PosternError` unless it answers 200. */
export async function callService(
  options: ServiceOptions,
  path: string,
  {
    method = 'POST',
    body,
    headers,
  }: { method?: 'POST' | 'DELETE'; body?: unknown; headers?: Record<string, string> },
): Promise<HttpAnswer> {
  const fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const signal = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const answer = await fetch(serviceUrl(options.baseUrl, path), {
    method,
    headers: {
      Authorization: `Bearer ${options.apiKey.trim()}`,
      'X-Project-Id': options.projectId.trim(),
      'Content-Type': 'application/json',
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal,
    credentials: 'omit',
  })
    .then(readAnswer)
    .catch((cause: unknown) => {
      throw signal.aborted
        ? posternError('Postern did not answer in time', { label: 'TIMEOUT', status: 0 }, { cause })
        : posternError('Postern could not be reached', { label: 'UNREACHABLE', status: 0 }, { cause });
    });
  if (answer.status !== 200) throw errorAnswer(answer);
  return answer;
}

export function unexpectedAnswer({ status, requestId }: HttpAnswer): Error {
  const failure = { label: 'UNEXPECTED_ANSWER', status } as const;
  return posternError('Something other than Postern answered', failure, { requestId });
}
