import { MAX_OUTCOMES, OUTCOMES_PATH, type OutcomeRequest, type OutcomesResponse } from '@postern/contract';
import { callService, type ServiceOptions, unexpectedAnswer } from './call-service.ts';

/**
 * Reports whether people turned out good or bad. Rejects with a `PosternError`. Reporting the same again changes
 * nothing.
 */
export type ReportOutcome = (
  outcomes: OutcomeRequest | readonly OutcomeRequest[],
) => Promise<OutcomesResponse>;

export function createReportOutcome(options: ServiceOptions): ReportOutcome {
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

async function send(options: ServiceOptions, outcomes: readonly OutcomeRequest[]): Promise<OutcomesResponse> {
  const answer = await callService(options, OUTCOMES_PATH, { body: { outcomes } });
  const { recorded, unknown } = answer.body ?? {};
  if (typeof recorded !== 'number' || !Array.isArray(unknown)) throw unexpectedAnswer(answer);
  return { recorded, unknown: unknown.filter((index) => typeof index === 'number') };
}
