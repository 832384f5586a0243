import type { TestProject, TestService } from './service.ts';
import { untilCounted } from './until-counted.ts';

const HOSTING = '45.77.3.77';
const ORDINARY = '81.2.69.1';
const AT_ONCE = 20;

/** A third comes from a hosting network, a third with a tag. Who has both is bad, and so is one in forty of the others. */
export const PLANTED_PEOPLE = Array.from({ length: 360 }, (_, index) => {
  const [hosting, tagged] = [index % 3 === 0, Math.floor(index / 3) % 3 === 0];
  return {
    email: `person.number${index}${tagged ? '+x' : ''}@gmail.com`,
    ip: hosting ? HOSTING : ORDINARY,
    outcome: (hosting && tagged) || index % 40 === 20 ? 'bad' : 'good',
  };
});

/** Validates all of them, in their order, and reports what became of them. */
export async function plantPeople(service: TestService, project: TestProject): Promise<void> {
  for (let at = 0; at < PLANTED_PEOPLE.length; at += AT_ONCE) {
    const some = PLANTED_PEOPLE.slice(at, at + AT_ONCE);
    await Promise.all(some.map(({ email, ip }) => untilCounted(() => project.validate({ email, ip }))));
  }
  for (let at = 0; at < PLANTED_PEOPLE.length; at += 100) {
    const outcomes = PLANTED_PEOPLE.slice(at, at + 100).map(({ email, outcome }) => ({ email, outcome }));
    await service.ask({
      method: 'POST',
      path: '/v1/outcomes',
      headers: { authorization: `Bearer ${project.serverKey}`, 'x-project-id': project.id },
      body: JSON.stringify({ outcomes }),
    });
  }
}
