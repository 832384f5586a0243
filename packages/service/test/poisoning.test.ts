import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestProject, TestService } from './support/service.ts';
import { BACK_ENDS, startServiceOn } from './support/service-on.ts';

/** Home networks, each another /24. */
const home = (index: number) => `81.2.${10 + index}.7`;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const person = (index: number) => `${LETTERS.charAt(index)}anna.schmidt@gmail.com`;

/** What strangers with the public client key can do to others. docs/threat-model.md has a table with these figures. */
describe.each(BACK_ENDS)('a stranger with the client key, on %s', (backEnd) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startServiceOn(backEnd);
  });
  afterAll(() => service?.close());

  const claim = async (project: TestProject, ip: string, body: Record<string, unknown>) => {
    const { status, json } = await project.validateFromPage(body, { 'x-forwarded-for': ip });
    expect(status).toBe(200);
    return json;
  };

  it('needs as many networks as the threshold to flag others who have the same device model', async () => {
    const project = await service.makeProject();
    const fingerprintHash = 'a-common-model';
    for (let index = 0; index < 30; index += 1)
      await claim(project, home(0), { email: `stranger${index}.name@gmail.com`, fingerprintHash });
    const honest = await claim(project, home(1), { email: person(0), fingerprintHash });
    expect(honest).toMatchObject({ recommendation: 'allow', checks: { device: { pass: true } } });
    expect(honest.metadata.previousSignups).toBe(30);
    // The stranger’s own network is judged by all of them.
    expect(await claim(project, home(0), { email: person(1), fingerprintHash })).toMatchObject({
      recommendation: 'flag',
      checks: { device: { pass: false } },
    });
    await claim(project, home(2), { email: person(2), fingerprintHash });
    expect(await claim(project, home(3), { email: person(3), fingerprintHash })).toMatchObject({
      recommendation: 'flag',
    });
  });

  it('is not somebody who mistypes a name: attempts of one visit that begin alike are one person', async () => {
    const project = await service.makeProject();
    const type = (name: string, device: string) =>
      claim(project, home(0), { email: `${name}@gmail.com`, fingerprintHash: device });
    for (const name of ['margaret.jnoes', 'margret.jones', 'margaret.jons', 'margaret.jomes'])
      await type(name, 'of-margaret');
    expect(await type('margaret.jones', 'of-margaret')).toMatchObject({ recommendation: 'allow' });
    // Whoever numbers addresses, or has other names, has not mistyped them.
    for (const name of ['margaret1', 'margaret2', 'margaret3']) await type(name, 'numbered');
    expect(await type('margaret4', 'numbered')).toMatchObject({ recommendation: 'flag' });
    for (const name of ['alice.roe', 'berta.roe', 'carla.roe']) await type(name, 'others');
    expect(await type('doris.roe', 'others')).toMatchObject({ recommendation: 'flag' });
  });

  it('flags the owner of an inbox with its alias, and never blocks them', async () => {
    const flagging = await service.makeProject();
    await claim(flagging, home(0), { email: 'jane.doe+z@gmail.com' });
    expect(await claim(flagging, home(1), { email: 'jane.doe@gmail.com' })).toMatchObject({
      recommendation: 'flag',
      signals: ['alias_reuse'],
    });

    const blocking = await service.makeProject({ policy: { actions: { alias: 'block' } } });
    await claim(blocking, home(0), { email: 'janedoe@gmail.com' });
    expect(await claim(blocking, home(1), { email: 'jane.doe@gmail.com' })).toMatchObject({
      recommendation: 'allow',
      signals: [],
    });
  });

  it('counts as everybody else once a backend has accepted the sign-up', async () => {
    const project = await service.makeProject({ policy: { actions: { alias: 'block' } } });
    const report = (outcome: Record<string, unknown>) =>
      service.ask({
        method: 'POST',
        path: '/v1/outcomes',
        headers: {
          authorization: `Bearer ${project.serverKey}`,
          'x-project-id': project.id,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ outcomes: [{ outcome: 'accepted', ...outcome }] }),
      });
    for (const [first, second, accepted] of [
      ['johnroe@gmail.com', 'john.roe@gmail.com', { email: 'JohnRoe@gmail.com' }],
      ['marypoe@gmail.com', 'mary.poe@gmail.com', { requestId: 'sign-up-of-mary' }],
    ] as const) {
      const requestId = 'requestId' in accepted ? accepted.requestId : 'another';
      const headers = { 'x-forwarded-for': home(0), 'x-request-id': requestId };
      await project.validateFromPage({ email: first }, headers);
      expect((await report(accepted)).json).toEqual({ recorded: 1, unknown: [] });
      expect(await claim(project, home(1), { email: second })).toMatchObject({
        recommendation: 'block',
        signals: ['alias_reuse'],
      });
    }
  });

  it('cannot taint the shape of names at a provider from one network', async () => {
    const project = await service.makeProject();
    const named = (index: number) => ({ email: `winner${100 + index}@gmail.com` });
    for (let index = 0; index < 60; index += 1) await claim(project, home(0), named(index));
    expect((await claim(project, home(9), { email: 'honest999@gmail.com' })).signals).toEqual([]);
    const attacked = await service.makeProject();
    for (let index = 0; index < 20; index += 1) await claim(attacked, home(index % 4), named(index));
    expect((await claim(attacked, home(9), { email: 'honest998@gmail.com' })).signals).toEqual([
      'pattern_burst',
    ]);
  });
});
