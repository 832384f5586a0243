import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ordinaryMail } from './support/dns-server.ts';
import { manyMailHosts } from './support/many-mail-hosts.ts';
import { startService, type TestProject, type TestService } from './support/service.ts';

const KNOWN = ordinaryMail('gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com');

let service: TestService;
let project: TestProject;

beforeAll(async () => {
  service = await startService({
    zone: (name) => {
      if (name in KNOWN) return KNOWN[name];
      return /^many\d+\.com$/.test(name)
        ? { truncated: true, bytes: (asked) => manyMailHosts(asked, 3_000) }
        : { A: ['93.184.216.34'] };
    },
  });
  project = await service.makeProject();
});
afterAll(() => service.close());

describe('a domain with 3,000 mail hosts', () => {
  it('gets an answer and a log row of ordinary size', async () => {
    const answer = await project.validate({ email: 'jane.doe@many1.com' });
    expect(answer.status).toBe(200);
    expect(answer.json.checks.mx).toMatchObject({ pass: true, metadata: { status: 'ok' } });
    expect(answer.json.checks.mx.metadata.records).toHaveLength(20);
    expect(answer.text.length).toBeLessThan(4_000);
    const { rows } = await service.admin(({ store }) => store.log.page(project.id, {}, 10, null));
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows[0]).length).toBeLessThan(4_000);
  });
});
