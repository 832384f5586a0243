import type { Answer } from './http-client.ts';

/** Asks again after a 503, which counts for nothing. A busy machine may answer it. */
export async function untilCounted(ask: () => Promise<Answer>): Promise<Answer> {
  const answer = await ask();
  return answer.status === 503 ? untilCounted(ask) : answer;
}
