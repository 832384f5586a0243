import type { ValidateResponse } from '@postern/contract';
import { describe, it } from 'vitest';
import { type DashboardClient, member } from './support/dashboard.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';
import { untilCounted } from './support/until-counted.ts';

const BURST = 12;

describe.each(USUAL_BACK_ENDS)('rules in two processes on %s', { concurrent: true }, (backEnd) => {
  it('hold from the next request on in every process, whatever changed', async ({ expect }) => {
    const service = await startServiceOn(backEnd, { env: { POSTERN_WORKERS: '2' } });
    try {
      const admin: DashboardClient = await member(service, 'admin');
      const project = await service.makeProject();
      const path = (rest: string) => `/projects/${project.id}${rest}`;
      /** Many at once on new connections, so that every process gets some. */
      const answers = async (): Promise<ValidateResponse[]> => {
        const burst = Array.from({ length: BURST }, () =>
          untilCounted(() => project.validate({ email: 'jane.doe@mail-house.net' }, { connection: 'close' })),
        );
        return (await Promise.all(burst)).map(({ json }) => json);
      };
      const given = async () => {
        const all = (await answers()).map(({ recommendation, signals }) =>
          [recommendation, ...signals.filter((signal) => signal.startsWith('rule_'))].join(' '),
        );
        return [...new Set(all)];
      };
      const change = async (method: string, rest: string, body?: object) =>
        expect((await admin.call(method, path(rest), body)).status).toBeLessThan(300);

      expect(await given()).toEqual(['allow']);
      const rule = { name: 'R', when: 'email.domain == "mail-house.net"' };
      await change('POST', '/rules', { ...rule, id: 'one', then: 'block' });
      expect(await given()).toEqual(['block rule_one']);
      await change('PATCH', '/rules/one', { then: 'flag' });
      expect(await given()).toEqual(['flag rule_one']);
      await change('POST', '/rules', { ...rule, id: 'two', then: 'block' });
      expect(await given()).toEqual(['flag rule_one rule_two']);
      await change('POST', '/rules/two/move', { before: 'one' });
      expect(await given()).toEqual(['block rule_two rule_one']);
      await change('PATCH', '/rules/two', { mode: 'shadow' });
      expect(await given()).toEqual(['flag rule_one']);
      await change('POST', '/named-lists', { name: 'friends' });
      await change('PATCH', '/rules/one', { when: 'inList("friends", email.domain)' });
      expect(await given()).toEqual(['allow']);
      await change('POST', '/named-lists/friends', { add: [{ value: 'mail-house.net' }] });
      expect(await given()).toEqual(['flag rule_one']);
      // Long enough to be saved in time on a busy machine.
      await change('PATCH', '/rules/one', { expiresAt: Date.now() + 15_000 });
      // Each look is a burst.
      await expect.poll(given, { interval: 1_000 }).toEqual(['allow']);
      await change('PATCH', '/rules/one', { expiresAt: null });
      await change('DELETE', '/rules/one');
      await change('DELETE', '/rules/two');
      expect(await given()).toEqual(['allow']);
      await change('POST', '/policy-history/2/restore', {});
      expect(await given()).toEqual(['block rule_one']);
      expect((await service.ask({ path: '/metrics' })).text).toMatch(/^postern_workers 2$/m);
    } finally {
      await service.close();
    }
  }, 300_000);
});
