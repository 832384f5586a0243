import type { ListChange, RingDetail, RingsView } from '@postern/contract/dashboard';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DashboardClient, member } from './support/dashboard.ts';
import { ordinaryMail } from './support/dns-server.ts';
import { RING_DOMAINS, RING_NETWORK, RING_SIGN_UPS, signUp } from './support/ring-sign-ups.ts';
import { KNOWN_MAIL, type TestProject, type TestService } from './support/service.ts';
import { BACK_ENDS, startServiceOn } from './support/service-on.ts';
import { untilCounted } from './support/until-counted.ts';

describe.each(BACK_ENDS)('rings on %s', (backEnd) => {
  let service: TestService;
  let analyst: DashboardClient;
  let project: TestProject;
  const path = (rest: string) => `/projects/${project.id}${rest}`;
  const answerTo = async (email: string, fingerprintHash: string) =>
    (await untilCounted(() => project.validate({ email, ip: '81.2.69.1', fingerprintHash }))).json
      .recommendation;

  beforeAll(async () => {
    service = await startServiceOn(backEnd, { zone: { ...KNOWN_MAIL, ...ordinaryMail(...RING_DOMAINS) } });
    analyst = await member(service, 'analyst');
    project = await service.makeProject();
    await signUp(project, RING_SIGN_UPS);
    await signUp(
      project,
      Array.from({ length: 20 }, (_, index) => ({
        email: `jane.doe${index}@gmail.com`,
        ip: `81.2.69.${index}`,
        fingerprintHash: `own-device-${index}`,
      })),
    );
  });
  afterAll(() => service.close());

  it('come out whole, with the reasons, and can be listed and decided as a whole and taken back', async () => {
    const { rings, total, people }: RingsView = (await analyst.get(path('/rings'))).json;
    expect([total, people]).toEqual([1, 123]);
    expect(rings[0]).toMatchObject({ people: 103, devices: 4, networks: 1, domainCount: 3, bad: 0, good: 0 });
    const ringOf = async (hash: string): Promise<RingDetail> =>
      (await analyst.get(path(`/rings/${hash}`))).json;
    const ring = await ringOf(rings[0]?.id ?? '');
    expect(ring.allNetworks).toEqual([{ name: RING_NETWORK, people: 103, others: 0, isCommon: false }]);
    expect(new Set(ring.allDomains.map(({ name }) => name))).toEqual(new Set(RING_DOMAINS));
    expect(ring.members).toHaveLength(103);
    for (const { links, maskedAddress, validation } of ring.members) {
      expect(links[0]?.kind).toBe('device');
      expect(maskedAddress).toMatch(/^o\*\*\*@/);
      expect(validation).toMatch(/^[0-9a-z]{24}$/);
    }
    // Any of its people or devices names it.
    expect((await ringOf(ring.allDevices[3]?.name ?? '')).id).toBe(ring.id);
    expect((await ringOf(ring.members[77]?.inbox ?? '')).id).toBe(ring.id);
    expect((await analyst.get(path('/rings/nobody'))).status).toBe(404);

    const [known] = RING_SIGN_UPS;
    expect(await answerTo(known?.email ?? '', 'a-new-device')).not.toBe('block');
    const changes = [
      ...ring.members.map(({ inbox }) => `person:${inbox}`),
      ...ring.allDevices.map(({ name }) => `device:${name}`),
    ].map((value): ListChange => ({ list: 'blockList', add: { value, note: 'A ring' } }));
    const listed = await analyst.post(path('/lists'), { changes });
    expect([listed.status, listed.json.undo.length]).toEqual([200, 107]);
    expect(await answerTo(known?.email ?? '', 'a-new-device')).toBe('block');
    expect(await answerTo('somebody.else@gmail.com', 'ring-device-3')).toBe('block');
    await analyst.post(path('/lists'), { changes: listed.json.undo });
    expect(await answerTo(known?.email ?? '', 'a-new-device')).not.toBe('block');

    const validations = ring.members.map(({ validation }) => validation);
    const decided = await analyst.post(path('/judge'), { validations, outcome: 'bad', reason: 'A ring' });
    expect([decided.status, decided.json.bad]).toEqual([200, 103]);
    expect(await ringOf(ring.id)).toMatchObject({ bad: 103, good: 0 });
    const undone = await analyst.post(path('/judge/undo'), { undo: decided.json.undo });
    expect([undone.status, undone.json]).toEqual([200, { undone: 103 }]);
    expect(await ringOf(ring.id)).toMatchObject({ bad: 0, good: 0 });
  });
});
