import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer } from './support/http-client.ts';
import { type PostgresServer, type PostgresTestDatabase, sharedPostgresServer } from './support/postgres.ts';
import { startService, type TestProject, type TestService } from './support/service.ts';

let postgres: PostgresServer;
let database: PostgresTestDatabase;
let services: [TestService, TestService];
let project: TestProject;
beforeAll(async () => {
  postgres = await sharedPostgresServer();
  database = await postgres.database();
  const env = { POSTERN_DATABASE_URL: database.url };
  const first = await startService({ env });
  services = [first, await startService({ env })];
  project = await first.makeProject({ rateServer: 1_000_000 });
});
afterAll(async () => {
  for (const service of services ?? []) await service.close();
  await database?.remove();
  await postgres?.remove();
});

function claim(index: number, email: string, key?: string): Promise<Answer> {
  return (services[index % 2] as TestService).ask({
    method: 'POST',
    path: '/v1/claims',
    headers: {
      authorization: `Bearer ${project.serverKey}`,
      'x-project-id': project.id,
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: JSON.stringify({ claim: 'trial', email, traces: [{ kind: 'card', value: `card of ${email}` }] }),
  });
}

it('of 200 claims at once on two processes, exactly one is granted', async () => {
  const all = Array.from({ length: 200 }, async (_, index) => {
    // A busy machine may answer 503; asking again with the same key is safe.
    for (;;) {
      const answer = await claim(index, `jane.doe+${index}@gmail.com`, `try-${index}`);
      if (answer.status !== 503) return answer;
    }
  });
  const answers = await Promise.all(all);
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(answers.filter(({ json }) => json.granted)).toHaveLength(1);
});

it('a process that is killed in the middle grants nothing twice and loses nothing that it granted', async () => {
  const people = Array.from({ length: 60 }, (_, index) => `person${index}.smith@gmail.com`);
  let answered = 0;
  const tried = people.flatMap((email) =>
    [0, 1].map(async (index) => {
      const answer = await claim(index, email).catch(() => undefined);
      answered += 1;
      // The second process dies while about half of the claims are under way.
      if (answered === people.length) services[1].process.kill('SIGKILL');
      return { email, granted: answer?.status === 200 && answer.json.granted === true };
    }),
  );
  const results = await Promise.all(tried);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // The database may still commit what the dead process sent, so both are read at one moment.
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  const { rows } = await client.query(
    "SELECT claim_id, count(*) AS handles FROM claim_handle WHERE handle LIKE 'trace:%' GROUP BY claim_id",
  );
  const granted = await client.query('SELECT id FROM claim WHERE granted = 1 AND project_id = $1', [
    project.id,
  ]);
  await client.end();
  // Each granted claim holds its one trace, and nothing is held by a claim that is not there.
  expect(rows.every(({ handles }) => Number(handles) === 1)).toBe(true);
  expect(new Set(rows.map(({ claim_id }) => claim_id))).toEqual(new Set(granted.rows.map(({ id }) => id)));
  for (const email of people) {
    const winners = results.filter((result) => result.email === email && result.granted).length;
    expect(winners).toBeLessThanOrEqual(1);
    const again = await claim(0, email);
    expect([email, again.status]).toEqual([email, 200]);
    if (winners === 1) expect(again.json.granted).toBe(false);
  }
});
