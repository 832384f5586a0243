import { join } from 'node:path';
import Database from 'libsql';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { startService, type TestService } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';

const WAIT = { timeout: 100_000, interval: 200 };
const body = { email: 'jane.doe@gmail.com', fingerprintHash: 'fingerprint-of-jane' };
const headers = { 'idempotency-key': 'crash', prefer: 'verdict' };

/** Runs SQL beside the service. */
async function sql(service: TestService, text: string): Promise<void> {
  const url = service.env.POSTERN_DATABASE_URL;
  if (url === undefined) {
    const database = new Database(join(service.dataDir, 'postern.db'));
    database.exec(text);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}

/** As if the process always ended between counting a request and keeping its answer. */
const REFUSE_ANSWERS = {
  sqlite: `CREATE TRIGGER refuse_answers BEFORE UPDATE ON idempotent_answer WHEN NEW.answer IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`,
  postgres: `CREATE FUNCTION refuse_answer() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'refused by the test'; END $$;
    CREATE TRIGGER refuse_answers BEFORE UPDATE ON idempotent_answer FOR EACH ROW
    WHEN (NEW.answer IS NOT NULL) EXECUTE FUNCTION refuse_answer()`,
};
const TAKE_ANSWERS = {
  sqlite: 'DROP TRIGGER refuse_answers',
  postgres: 'DROP TRIGGER refuse_answers ON idempotent_answer',
};

describe.each(USUAL_BACK_ENDS)(
  'kill -9 between counting a request and keeping its answer, on %s',
  { concurrent: true },
  (backEnd) => {
    it('does not make its repeat count again', async ({ onTestFinished }) => {
      const first = await startServiceOn(backEnd);
      onTestFinished(() => first.close());
      const project = await first.makeProject();
      // Another inbox of the same device, so that history shows in the answer.
      await project.validate({ ...body, email: 'john.miller@gmail.com' });
      await sql(first, REFUSE_ANSWERS[backEnd]);
      const unanswered = project.validate(body, headers).catch(() => undefined);
      const rows = () =>
        first.admin(async ({ store }) => (await store.log.page(project.id, {}, 100, null)).rows);
      await vi.waitFor(async () => expect(await rows()).toHaveLength(2), WAIT);
      const [counted] = await rows();
      await first.stop('SIGKILL');
      await unanswered;
      await sql(first, TAKE_ANSWERS[backEnd]);

      const second = await startService({ dataDir: first.dataDir, env: first.env });
      onTestFinished(() => second.close());
      const repeat = () =>
        second.ask({
          method: 'POST',
          path: '/validate',
          headers: {
            authorization: `Bearer ${project.serverKey}`,
            'x-project-id': project.id,
            ...headers,
          },
          body: JSON.stringify(body),
        });
      // The dead process’s claim is valid for ten seconds.
      const answer = await vi.waitFor(async () => {
        const got = await repeat();
        expect(got.status).toBe(200);
        return got;
      }, WAIT);
      expect(answer.headers['x-quota-used']).toBe('2');
      expect(answer.headers['x-ratelimit-remaining']).toBe('4998');
      // The history is the one that the request had when it was counted.
      expect(answer.json.metadata.previousSignups).toBe(1);
      expect(answer.json.recommendation).toBe(counted?.recommendation);
      expect(await rows()).toEqual(expect.arrayContaining([counted]));
      expect(await rows()).toHaveLength(2);
      const verdict = JSON.parse(
        Buffer.from(answer.headers['x-postern-verdict']?.split('.')[1] ?? '', 'base64url').toString(),
      );
      expect(verdict.requestId).toBe(counted?.requestId);

      const again = await repeat();
      expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
      expect(again.text).toBe(answer.text);
    });
  },
);
