import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ordinaryMail } from './support/dns-server.ts';
import { startService, type TestProject, type TestService } from './support/service.ts';

let service: TestService;
let project: TestProject;

beforeAll(async () => {
  service = await startService({
    zone: {
      ...ordinaryMail('gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com', 'qwjanedoe.fastmail.com'),
      ...ordinaryMail('qwjanedoe.anonaddy.com', 'cs.qwuniversity.com'),
      // A family’s own domain at Fastmail, with the wildcard that subdomain addressing needs.
      'qwjanedoe.family-post.com': { MX: [[10, 'in1-smtp.messagingengine.com']] },
      'in1-smtp.messagingengine.com': { A: ['103.168.172.216'] },
      'qwjanedoe.silent-post.com': 'silent',
    },
    env: { POSTERN_DNS_BUDGET_MS: '1000' },
  });
  project = await service.makeProject();
});
afterAll(() => service.close());

describe('a domain that names a person', () => {
  it.each([
    ['signups@qwjanedoe.fastmail.com', 's***@fastmail.com', 'fastmail.com', 'qwjanedoe'],
    ['signups@shop.qwjanedoe.fastmail.com', 's***@fastmail.com', 'fastmail.com', 'qwjanedoe'],
    ['signups@qwjanedoe.anonaddy.com', 's***@anonaddy.com', 'anonaddy.com', 'qwjanedoe'],
    ['signups@qwjanedoe.family-post.com', 's***@family-post.com', 'family-post.com', 'qwjanedoe'],
    ['signups+x@qwjanedoe.family-post.com', 's***@family-post.com', 'family-post.com', 'qwjanedoe'],
    // DNS cannot tell who hosts the mail, so the label may be a name.
    ['signups@qwjanedoe.silent-post.com', 's***@silent-post.com', 'silent-post.com', 'qwjanedoe'],
    ['quentin@[198.18.7.7]', 'q***@[address literal]', '[address literal]', '198.18.7.7'],
    ['quentin@[IPv6:2001:db8::77]', 'q***@[address literal]', '[address literal]', '2001:db8::77'],
  ])('%s is kept as %s', async (email, maskedAddress, domain, secret) => {
    const { status, text } = await project.validate({ email });
    expect(status).toBe(200);
    // The caller knows the address, so the answer contains it in full.
    expect(text).toContain(email.toLowerCase());
    const { rows } = await service.admin(({ store }) => store.log.page(project.id, {}, 1, null));
    expect(rows[0]).toMatchObject({ maskedAddress, domain });
    expect(JSON.stringify(rows)).not.toContain(secret);
    for (const file of readdirSync(service.dataDir, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      expect(readFileSync(join(file.parentPath, file.name)).includes(secret), file.name).toBe(false);
    }
    expect(service.output()).not.toContain(secret);
  });
});

it('a subdomain of a host without subdomain addressing is kept: it is a department, not a person', async () => {
  expect((await project.validate({ email: 'student@cs.qwuniversity.com' })).status).toBe(200);
  const { rows } = await service.admin(({ store }) => store.log.page(project.id, {}, 1, null));
  expect(rows[0]).toMatchObject({ maskedAddress: 's***@cs.qwuniversity.com', domain: 'cs.qwuniversity.com' });
});
