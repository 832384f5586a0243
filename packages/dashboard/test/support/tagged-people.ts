import type { TestProject, TestService } from '../../../service/test/support/service.ts';
import { untilCounted } from '../../../service/test/support/until-counted.ts';

/** Six people with a tag, four of them bad, and four good people without one. */
export async function seedTaggedPeople(service: TestService, project: TestProject): Promise<void> {
  const outcomes: object[] = [];
  for (let index = 0; index < 10; index += 1) {
    const email = index < 6 ? `p${index}.n+x@mail-house.net` : `p${index}.n@mail-house.net`;
    await project.validate({ email, validations: { syntax: 'block' } });
    outcomes.push({ email, outcome: index < 4 ? 'bad' : 'good' });
  }
  const headers = { authorization: `Bearer ${project.serverKey}`, 'x-project-id': project.id };
  const body = JSON.stringify({ outcomes });
  const report = () => service.ask({ method: 'POST', path: '/v1/outcomes', headers, body });
  const { status, text } = await untilCounted(report);
  if (status !== 200) throw new Error(`Outcomes were answered ${status}: ${text}`);
}
