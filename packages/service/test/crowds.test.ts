import type { ValidateResponse } from '@postern/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ordinaryMail, type Zone } from './support/dns-server.ts';
import type { TestProject, TestService } from './support/service.ts';
import { startService } from './support/service.ts';

const CLOCK = new URL('./support/movable-clock.mjs', import.meta.url);
const HOUR_MS = 3_600_000;
/** The service’s clock goes forward by this much at a time, from two weeks ago on. */
const STEP_MS = 6 * HOUR_MS;
const STEPS = 60;

const DESKTOP =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';

const forwarded = (...domains: readonly string[]): Zone =>
  Object.fromEntries(domains.map((domain) => [domain, { MX: [[10, 'route1.mx.cloudflare.net']] }]));
const FARM_DOMAINS = ['crestomail.com', 'lumen-trade.co', 'marlowpost.com', 'nordvale.net', 'ostrafield.com'];
const OWN_DOMAINS = ['alder-works.com', 'birch-works.com', 'cedar-works.com', 'elder-works.com'];
const ZONE: Zone = {
  ...ordinaryMail('gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com', 'mail-house.net'),
  ...forwarded(...FARM_DOMAINS, 'chess-club-weimar.de'),
  ...Object.fromEntries(OWN_DOMAINS.map((domain) => [domain, { MX: [[10, `mx.${domain}`]] }])),
  ...Object.fromEntries(OWN_DOMAINS.map((domain) => [`mx.${domain}`, { A: ['93.184.216.40'] }])),
  'holm-steel.com': { MX: [[10, 'holm-steel-com.mail.protection.outlook.com']] },
  'holm-steel-com.mail.protection.outlook.com': { A: ['93.184.216.50'] },
  'route1.mx.cloudflare.net': { A: ['93.184.216.41'] },
};

interface Visitor {
  readonly email: string;
  readonly ip: string;
  readonly fingerprint?: string;
  readonly userAgent?: string;
}

let people = 0;
/** A name and a network of its own. */
const name = () => {
  people += 1;
  const letters = [...people.toString(26)].map((digit) =>
    String.fromCharCode(97 + Number.parseInt(digit, 26)),
  );
  return `joan.m${letters.join('')}ley`;
};
const line = () => {
  people += 1;
  return `81.${Math.floor(people / 250) + 20}.${people % 250}.7`;
};

describe.runIf(process.platform !== 'win32')('over days, in a project with ordinary life', () => {
  let service: TestService;
  let project: TestProject;
  let step = 0;

  const ask = async ({ userAgent = DESKTOP, ...body }: Visitor): Promise<ValidateResponse> =>
    (await project.validate({ userAgent, ...body })).json;
  const wait = async () => {
    service.process.kill('SIGWINCH');
    const told = `the clock is off by ${(step - STEPS) * STEP_MS}\n`;
    step += 1;
    while (!service.output().includes(told)) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const play = async (visits: readonly Visitor[], perStep: number): Promise<ValidateResponse[]> => {
    const answers: ValidateResponse[] = [];
    for (const [index, visit] of visits.entries()) {
      if (index > 0 && index % perStep === 0) await wait();
      answers.push(await ask(visit));
    }
    return answers;
  };
  const allowed = (answers: readonly ValidateResponse[]) =>
    answers.filter(({ recommendation }) => recommendation === 'allow').length;
  const blocked = (answers: readonly ValidateResponse[]) =>
    answers.filter(({ recommendation }) => recommendation === 'block').length;
  /** Because of a crowd or a device. An address may be a rented server’s by chance. */
  const accused = (answers: readonly ValidateResponse[]) =>
    answers.filter(
      ({ signals, checks }) =>
        checks.device?.pass === false || signals.some((signal) => signal.endsWith('_crowd')),
    ).length;
  const times = (count: number, visit: (index: number) => Visitor) =>
    Array.from({ length: count }, (_, index) => visit(index));

  const admin = (policy: object) =>
    service.admin(async (parts) => {
      const { updateProject } = await import('../dist/operations/change-project.js');
      await updateProject(parts, project.id, { policy });
    });

  beforeAll(async () => {
    const shifts = Array.from({ length: STEPS }, (_, index) => (index - STEPS) * STEP_MS);
    service = await startService({
      zone: ZONE,
      env: {
        NODE_OPTIONS: `--import=${CLOCK.href}`,
        CLOCK_SHIFTS: shifts.join(','),
      },
    });
    project = await service.makeProject();
    await wait();
    await play(
      times(60, () => ({ email: `${name()}@gmail.com`, ip: line(), fingerprint: name() })),
      6,
    );
  });
  afterAll(() => service?.close());

  it('sees farms and spares people who harm nobody', async () => {
    const oneDomain = await play(
      times(24, () => ({ email: `${name()}@crestomail.com`, ip: line(), fingerprint: 'one-browser' })),
      8,
    );
    expect(allowed(oneDomain)).toBeLessThanOrEqual(5);
    expect(blocked(oneDomain)).toBe(0);
    const seen = oneDomain.at(-1);
    expect(seen?.signals).toEqual(expect.arrayContaining(['domain_crowd']));
    const { disposable } = seen?.checks ?? {};
    expect(disposable).toMatchObject({ pass: false, metadata: { crowd: { week: 23, month: 23 } } });
    expect(disposable?.error).toMatch(
      /^23 new people at this domain in (a day|2 days), from 23 networks, 23 with one browser/,
    );
    expect(disposable?.metadata?.since).toMatch(/^\d{4}-/);
    // The mild message names no check.
    expect(seen?.message).not.toBeNull();

    // While the campaign is remembered, other rented domains get one account each.
    const others = await play(
      times(16, (index) => ({
        ...{ email: `${name()}@${FARM_DOMAINS[1 + (index % 4)]}`, ip: line() },
        fingerprint: name(),
      })),
      8,
    );
    expect(allowed(others)).toBeLessThanOrEqual(8);

    const ownServer = await play(
      times(24, (index) => ({ email: `${name()}@${OWN_DOMAINS[index % 4]}`, ip: line() })),
      8,
    );
    expect(allowed(ownServer)).toBeLessThanOrEqual(10);
    expect(ownServer.at(-1)?.signals).toContain('mail_host_crowd');

    const oneBrowser = await play(
      times(24, () => ({ email: `${name()}@gmail.com`, ip: line(), fingerprint: 'a-rented-desktop' })),
      8,
    );
    expect(allowed(oneBrowser)).toBeLessThanOrEqual(8);
    expect(oneBrowser.at(-1)?.signals).toContain('device_crowd');
    // With `watch` they pass with the signal, to see first whom that hits.
    await admin({ crowdDevices: 'watch', deviceThreshold: 200 });
    const watched = await ask({ email: `${name()}@gmail.com`, ip: line(), fingerprint: 'a-rented-desktop' });
    expect(watched).toMatchObject({ recommendation: 'allow', checks: { device: { pass: true } } });
    expect(watched.signals).toContain('device_crowd');
    await admin({ crowdDevices: 'act', deviceThreshold: 3 });

    const oneNetwork = await play(
      times(60, (index) => ({
        email: `${name()}@gmail.com`,
        ip: `82.7.7.${index + 1}`,
        fingerprint: name(),
      })),
      3,
    );
    expect(allowed(oneNetwork)).toBeLessThanOrEqual(48);
    expect(oneNetwork.at(-1)?.signals).toContain('network_crowd');

    const phones = await play(
      times(40, () => ({
        ...{ email: `${name()}@gmail.com`, ip: line(), fingerprint: 'a-phone', userAgent: PHONE },
      })),
      20,
    );
    expect(accused(phones)).toBe(0);

    const office = await play(
      times(30, (index) => ({
        ...{ email: `${name()}@holm-steel.com`, ip: '83.9.9.9', fingerprint: `laptop-${index % 2}` },
      })),
      15,
    );
    expect(accused(office)).toBe(0);

    const dots = await play(
      times(12, (index) => ({ email: `${'j.'.repeat((index % 5) + 1)}oanne.whitley@gmail.com`, ip: line() })),
      12,
    );
    expect(blocked([...phones, ...office, ...dots, ...others, ...ownServer])).toBe(0);
  });

  it('acts as the policy’s crowd says, and still shows it', async () => {
    await admin({ crowd: 'allow' });
    const next = () => ask({ email: `${name()}@crestomail.com`, ip: line(), fingerprint: name() });
    const shown = await next();
    expect(shown).toMatchObject({ recommendation: 'allow', checks: { disposable: { pass: false } } });
    expect(shown.signals).toContain('domain_crowd');
    await admin({ crowd: 'block' });
    expect((await next()).recommendation).toBe('block');
    const claimed = await project.validateFromPage({ email: `${name()}@crestomail.com` });
    expect(claimed.json.recommendation).toBe('block');
  });
});

it('a project in its first days says that it is learning, and flags nobody', async () => {
  const service = await startService({ zone: ZONE });
  try {
    const project = await service.makeProject();
    let last: ValidateResponse | undefined;
    for (let index = 0; index < 8; index += 1) {
      const body = { email: `${name()}@crestomail.com`, ip: line(), userAgent: DESKTOP };
      last = (await project.validate(body)).json;
    }
    expect(last).toMatchObject({
      checks: { disposable: { pass: true, metadata: { learning: true, crowd: { hour: 7, week: 7 } } } },
    });
    expect(last?.signals).not.toContain('domain_crowd');
  } finally {
    await service.close();
  }
});
