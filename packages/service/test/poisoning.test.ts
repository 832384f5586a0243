import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Answer } from './support/http-client.ts';
import type { TestProject, TestService } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';

/** Home networks, each another /24. */
const home = (index: number) => `81.2.${10 + index}.7`;
const CLOCK = new URL('./support/movable-clock.mjs', import.meta.url);
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const person = (index: number) => `${LETTERS.charAt(index)}anna.schmidt@gmail.com`;

/** Of the verdict, which the page hands to its backend. */
const requestOf = (answer: Answer): string =>
  JSON.parse(
    Buffer.from(String(answer.headers['x-postern-verdict']).split('.')[1] ?? '', 'base64url').toString(),
  ).requestId;

/** What strangers with the public client key can do to others. docs/threat-model.md has a table with these figures. */
describe.each(USUAL_BACK_ENDS)('a stranger with the client key, on %s', (backEnd) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startServiceOn(backEnd, { env: { NODE_OPTIONS: `--import=${CLOCK.href}` } });
  });
  afterAll(() => service?.close());

  const claim = async (project: TestProject, ip: string, body: Record<string, unknown>) => {
    const { status, json } = await project.validateFromPage(body, { 'x-forwarded-for': ip });
    expect(status).toBe(200);
    return json;
  };

  const setClock = async (off: string) => {
    service.process.kill('SIGWINCH');
    await vi.waitFor(() => expect(service.output()).toContain(`the clock is off by ${off}`), {
      timeout: 120_000,
    });
  };
  const accept = async (project: TestProject, outcome: Record<string, unknown>) => {
    const { json } = await service.ask({
      method: 'POST',
      path: '/v1/outcomes',
      headers: {
        authorization: `Bearer ${project.serverKey}`,
        'x-project-id': project.id,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ outcomes: [{ outcome: 'accepted', ...outcome }] }),
    });
    expect(json).toEqual({ recorded: 1, unknown: [] });
  };

  // The first test, because the clock cannot go back.
  it('flags others who have the same device model for a day', async () => {
    await setClock('-86400000');
    const project = await service.makeProject();
    const asks = (network: number, device: string) =>
      claim(project, home(network), { email: person(network), fingerprintHash: device });
    for (const network of [0, 1, 2]) for (const device of ['m1', 'm2']) await asks(network, device);
    expect(await asks(3, 'm1')).toMatchObject({ recommendation: 'flag' });
    await setClock('86400000');
    expect(await asks(4, 'm2')).toMatchObject({ recommendation: 'allow', metadata: { previousSignups: 3 } });
    // What its own network claimed still counts there.
    for (const name of ['abel', 'bert', 'carl'])
      await claim(project, home(5), { email: `${name}.roe@gmail.com`, fingerprintHash: 'm3' });
    expect(await asks(5, 'm3')).toMatchObject({ recommendation: 'flag' });
  });

  it('never blocks anybody with a device, until a backend confirms as much', async () => {
    const project = await service.makeProject({ policy: { actions: { device: 'block' } } });
    const fingerprintHash = 'a-model-to-block';
    const asks = (network: number) =>
      project.validateFromPage(
        { email: person(network), fingerprintHash },
        { 'x-forwarded-for': home(network) },
      );
    const requests: string[] = [];
    for (let network = 0; network < 6; network += 1) requests.push(requestOf(await asks(network)));
    const flagged = {
      recommendation: 'flag',
      checks: {
        device: {
          pass: false,
          error:
            'Device was used with 6 other addresses, too few of them confirmed by a backend, so it only flags',
        },
      },
    };
    expect((await asks(6)).json).toMatchObject(flagged);
    await accept(project, { requestId: requests[0] });
    await accept(project, { requestId: requests[1] });
    // Which device it was is not known from an address alone.
    await accept(project, { email: person(2) });
    expect((await asks(6)).json).toMatchObject(flagged);
    // The third one is asked about by the backend itself.
    await project.validate({ email: person(3), fingerprintHash, ip: home(3) });
    expect((await asks(6)).json).toMatchObject({
      recommendation: 'block',
      checks: { device: { pass: false, error: 'Device was used with 6 other addresses' } },
    });
    const [newest] = (await service.admin(({ store }) => store.log.page(project.id, {}, 1, null))).rows;
    expect(newest).toMatchObject({ recommendation: 'block', failed: ['device'] });
  });

  it('does not hide what a backend reports by sending a request ID a second time with another address', async () => {
    const project = await service.makeProject({ policy: { actions: { device: 'block' } } });
    const asks = async (network: number) => {
      const headers = { 'x-forwarded-for': home(network), 'x-request-id': `chosen-${network}` };
      const answer = await project.validateFromPage(
        { email: person(network), fingerprintHash: 'sent-twice' },
        headers,
      );
      expect(answer.headers['x-request-id']).toBe(`chosen-${network}`);
      for (const decoy of ['decoy.one', 'decoy.two'])
        await project.validateFromPage({ email: `${decoy}@gmail.com` }, headers);
      return answer;
    };
    for (const network of [0, 1, 2])
      await accept(project, { requestId: requestOf(await asks(network)), email: person(network) });
    expect((await asks(3)).json).toMatchObject({ recommendation: 'block' });
  });

  it('cannot cancel what a backend confirmed of a device, before or after it did', async () => {
    const project = await service.makeProject({ policy: { actions: { device: 'block' } } });
    const fingerprintHash = 'confirmed';
    // First claims that all of them share a network, which is not what the backend says.
    for (const index of [0, 1, 2]) await claim(project, home(9), { email: person(index), fingerprintHash });
    for (const index of [0, 1, 2])
      await project.validate({ email: person(index), fingerprintHash, ip: home(index) });
    const asks = async (email: string) =>
      (await project.validate({ email, fingerprintHash, ip: home(5) })).json.recommendation;
    expect(await asks('fourth.try@gmail.com')).toBe('block');
    for (let network = 10; network < 20; network += 1)
      await claim(project, home(network), { email: 'x@mailinator.com', fingerprintHash });
    for (let network = 10; network < 30; network += 1)
      await claim(project, home(network), {
        email: `claimed.${LETTERS[network - 10]}@gmail.com`,
        fingerprintHash,
      });
    expect(await asks('fifth.try@gmail.com')).toBe('block');
  });

  it('is blocked by claims only where the request itself asks for it', async () => {
    const project = await service.makeProject();
    const body = (network: number) => ({
      email: person(network),
      fingerprintHash: 'asked',
      validations: { device: 'block' },
    });
    for (const network of [0, 1, 2]) await claim(project, home(network), body(network));
    expect(await claim(project, home(3), body(3))).toMatchObject({
      recommendation: 'block',
      checks: { device: { error: 'Device was used with 3 other addresses' } },
    });
  });

  it('needs as many networks as the threshold to flag others who have the same device model', async () => {
    const project = await service.makeProject();
    const fingerprintHash = 'a-common-model';
    for (let index = 0; index < 30; index += 1)
      await claim(project, home(0), { email: `stranger${index}.name@gmail.com`, fingerprintHash });
    const honest = await claim(project, home(1), { email: person(0), fingerprintHash });
    expect(honest).toMatchObject({ recommendation: 'allow', checks: { device: { pass: true } } });
    expect(honest.metadata.previousSignups).toBe(30);
    // Neither is the next person of that home.
    expect(await claim(project, home(1), { email: person(4), fingerprintHash })).toMatchObject({
      recommendation: 'allow',
    });
    // The stranger’s own network is judged by all of them.
    expect(await claim(project, home(0), { email: person(1), fingerprintHash })).toMatchObject({
      recommendation: 'flag',
      checks: { device: { pass: false } },
    });
    expect(await claim(project, home(2), { email: person(2), fingerprintHash })).toMatchObject({
      recommendation: 'allow',
    });
    expect(await claim(project, home(3), { email: person(3), fingerprintHash })).toMatchObject({
      recommendation: 'flag',
    });
  });

  it('is not somebody who mistypes a name: attempts of one visit that begin alike are one person', async () => {
    const project = await service.makeProject();
    const type = (name: string, device: string, ip = home(0)) =>
      claim(project, ip, { email: `${name}@gmail.com`, fingerprintHash: device });
    // An office’s or a developer’s own address counts as no network.
    for (const ip of [home(0), '10.0.0.7']) {
      for (const name of ['margaret.jnoes', 'margret.jones', 'margaret.jons', 'margaret.jomes'])
        await type(name, `of-margaret-${ip}`, ip);
      expect(await type('margaret.jones', `of-margaret-${ip}`, ip)).toMatchObject({
        recommendation: 'allow',
      });
    }
    // Numbered addresses and other names are not mistyped ones.
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
    for (const [first, second, accepted] of [
      ['johnroe@gmail.com', 'john.roe@gmail.com', { email: 'JohnRoe@gmail.com' }],
      ['marypoe@gmail.com', 'mary.poe@gmail.com', undefined],
    ] as const) {
      const answer = await project.validateFromPage({ email: first }, { 'x-forwarded-for': home(0) });
      await accept(project, accepted ?? { requestId: requestOf(answer) });
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

  it('gives a network’s neighbours a signal after 20 requests, and no action', async () => {
    const project = await service.makeProject();
    const neighbour = (index: number) =>
      claim(project, `81.2.90.${index + 1}`, { email: `${LETTERS.charAt(index)}.neighbour@gmail.com` });
    for (let index = 0; index < 19; index += 1) expect((await neighbour(index)).signals).toEqual([]);
    for (let index = 19; index < 21; index += 1) await neighbour(index);
    expect(await neighbour(21)).toMatchObject({ recommendation: 'allow', signals: ['network_burst'] });
  });
});
