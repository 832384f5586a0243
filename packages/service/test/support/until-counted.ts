import type { Answer } from './http-client.ts';
import type { TestProject } from './service.ts';

/** Asks again after a 503, which counts for nothing. A busy machine may answer it. */
export async function untilCounted(ask: () => Promise<Answer>): Promise<Answer> {
  const answer = await ask();
  return answer.status === 503 ? untilCounted(ask) : answer;
}

/** The project for tests of something else than a service with too much to do. */
export const patient = (project: TestProject): TestProject => ({
  ...project,
  validate: (...args) => untilCounted(() => project.validate(...args)),
  validateFromPage: (...args) => untilCounted(() => project.validateFromPage(...args)),
});
