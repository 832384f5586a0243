import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey, type TestProject, type TestService } from './support/service.ts';
import { BACK_ENDS, startServiceOn } from './support/service-on.ts';

const CLOCK = new URL('./support/movable-clock.mjs', import.meta.url);
const DAY_MS = 86_400_000;

describe.runIf(process.platform !== 'win32').each(BACK_ENDS)('a clock that jumps, on %s', (backEnd) => {
  let service: TestService;
  let project: TestProject;
  beforeAll(async () => {
    service = await startServiceOn(backEnd, { env: { NODE_OPTIONS: `--import=${CLOCK.href}` } });
    project = await service.makeProject({ rateServer: 5 });
  });
  afterAll(() => service?.close());

  const visit = (name: string) =>
    project.validate({ email: `${name}@gmail.com`, fingerprintHash: 'the-device' });
  const month = (time: number) => new Date(time).toISOString().slice(0, 7);

  async function moveClock(toldAs: number): Promise<void> {
    service.process.kill('SIGWINCH');
    const told = `the clock is off by ${toldAs}`;
    while (!service.output().includes(told)) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  it('back by a day loses no count, no sighting and no key, and blocks for at most an hour', async () => {
    for (const name of ['ann.one', 'bob.two', 'cas.three']) expect((await visit(name)).status).toBe(200);
    const before = month(Date.now());
    await moveClock(-DAY_MS);

    const first = await visit('dan.four');
    expect([first.status, first.json.metadata.previousSignups]).toEqual([200, 3]);
    expect(first.headers['x-ratelimit-remaining']).toBe('1');
    const sameMonth = month(Date.now() - DAY_MS) === before;
    expect(first.headers['x-quota-used']).toBe(sameMonth ? '4' : '1');
    expect((await visit('eve.five')).status).toBe(200);
    const refused = await visit('fay.six');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(3_600);
    expect((await service.ask({ path: '/readyz' })).status).toBe(200);

    // Created with a correct clock, which is a day ahead of the service’s.
    const { secret } = await service.admin((admin) =>
      createKey(admin, { projectId: project.id, type: 'client', expiresInMs: DAY_MS }),
    );
    const headers = { authorization: `Bearer ${secret}` };
    expect((await project.validateFromPage({ email: 'gil.seven@gmail.com' }, headers)).status).toBe(200);
  });

  it('forward again frees the hour, and the device is still known', async () => {
    await moveClock(DAY_MS);
    const { status, headers, json } = await visit('hal.eight');
    expect([status, headers['x-ratelimit-remaining'], json.metadata.previousSignups]).toEqual([200, '4', 5]);
    const { rows } = await service.admin(({ store }) => store.log.page(project.id, {}, 100, null));
    expect(rows).toHaveLength(7);
  });
});

describe.runIf(process.platform !== 'win32').each(BACK_ENDS)('a clock that runs ahead, on %s', (backEnd) => {
  const AHEAD_MS = 100 * DAY_MS;
  let service: TestService;
  let project: TestProject;
  beforeAll(async () => {
    const env = { NODE_OPTIONS: `--import=${CLOCK.href}`, CLOCK_SHIFTS: `${AHEAD_MS}` };
    service = await startServiceOn(backEnd, { env });
    project = await service.makeProject();
  });
  afterAll(() => service?.close());

  const until = async (isSo: () => boolean | Promise<boolean>) => {
    while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const metric = async (name: string) => {
    const { text } = await service.ask({ path: '/metrics' });
    return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
  };

  it('deletes nothing, and says so in the log, in /readyz and by a metric', async () => {
    for (const name of ['ann.one', 'bob.two']) await project.validate({ email: `${name}@gmail.com` });
    await until(async () => (await metric('postern_sweep_finished_timestamp_seconds')) > 0);
    expect((await service.ask({ path: '/readyz' })).json.parts.clock).toBeUndefined();

    service.process.kill('SIGWINCH');
    const of = backEnd === 'sqlite' ? 'the last clean-up' : 'the database’s clock';
    await until(() =>
      service.output().includes(`is 100 days ahead of ${of}, so this process deletes no expired data`),
    );
    expect((await service.ask({ path: '/readyz' })).json).toMatchObject({
      status: 'degraded',
      parts: { clock: { message: expect.stringContaining('100 days') } },
    });
    expect(await metric('postern_clock_ahead_seconds')).toBeGreaterThan(99 * 86_400);
    expect(await metric('postern_sweep_rows_total')).toBe(0);
    const { rows } = await service.admin(({ store }) => store.log.page(project.id, {}, 100, null));
    expect(rows).toHaveLength(2);
  });

  it('is trusted again after somebody says that it is right, unless the database’s clock says otherwise', async () => {
    const later = Date.now() + AHEAD_MS;
    const doubts = await service.admin(async ({ store: { clock } }) => {
      const before = await clock.doubt(later);
      await clock.trust(later);
      return [before?.of, (await clock.doubt(later))?.of, await clock.doubt(Date.now())];
    });
    const [sqlite, postgres] = ['the last clean-up', 'the database’s clock'];
    expect(doubts).toEqual(
      backEnd === 'sqlite' ? [sqlite, undefined, undefined] : [postgres, postgres, undefined],
    );
  });
});
