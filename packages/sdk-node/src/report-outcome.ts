import {
  type ClientOptions,
  errorAnswer,
  posternError,
  readAnswer,
  type ServerFallback,
} from 'postern~sdk/core';
import { MAX_OUTCOMES, OUTCOMES_PATH, type OutcomeRequest, type OutcomesResponse } from '@postern/contract';
import { serviceUrl } from './service-url.ts';

type ReporterOptions = Pick<
  ClientOptions<ServerFallback>,
  'baseUrl' | 'projectId' | 'apiKey' | 'fetch' | 'timeoutMs'
>;

/**
 * Reports whether people turned out good or bad. Rejects with a `PosternError`. Reporting the same again changes
 * nothing.
 */
export type ReportOutcome = (
  outcomes: OutcomeRequest | readonly OutcomeRequest[],
) => Promise<OutcomesResponse>;

const DEFAULT_TIMEOUT_MS = 5_000;

export function createReportOutcome(options: ReporterOptions): ReportOutcome {
  return async (outcomes) => {
    const all = 'outcome' in outcomes ? [outcomes] : outcomes;
    let recorded = 0;
    const unknown: number[] = [];
    // The service accepts a hundred at a time. If a later part is refused, the parts before it stay recorded.
    for (let start = 0; start < all.length; start += MAX_OUTCOMES) {
      const answer = await send(options, all.slice(start, start + MAX_OUTCOMES));
      recorded += answer.recorded;
      unknown.push(...answer.unknown.map((index) => index + start));
    }
    return { recorded, unknown };
  };
}

async function send(
  options: ReporterOptions,
  outcomes: readonly OutcomeRequest[],
): Promise<OutcomesResponse> {
  const fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const signal = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const answer = await fetch(serviceUrl(options.baseUrl, OUTCOMES_PATH), {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${options.apiKey.trim()}`,
      'X-Project-Id': options.projectId.trim(),
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ outcomes }),
    signal,
    credentials: 'omit',
  })
    .then(readAnswer)
    .catch((cause: unknown) => {
      throw signal.aborted
        ? posternError('Postern did not answer in time', { label: 'TIMEOUT', status: 0 }, { cause })
        : posternError('Postern could not be reached', { label: 'UNREACHABLE', status: 0 }, { cause });
    });
  const { recorded, unknown } = answer.body ?? {};
  if (answer.status !== 200) throw errorAnswer(answer);
  if (typeof recorded !== 'number' || !Array.isArray(unknown)) {
    const failure = { label: 'UNEXPECTED_ANSWER', status: answer.status } as const;
    throw posternError('Something other than Postern answered', failure, { requestId: answer.requestId });
  }
  return { recorded, unknown: unknown.filter((index) => typeof index === 'number') };
}
