import type {
  CampaignDetail,
  CampaignPeople,
  CampaignsView,
  CampaignView,
} from '@postern/contract/dashboard';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noticeCampaigns } from './support/campaign-people.ts';
import { type DashboardClient, member } from './support/dashboard.ts';
import { ordinaryMail, type Zone } from './support/dns-server.ts';
import type { TestProject, TestService } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';
import { untilCounted } from './support/until-counted.ts';

const CLOCK = new URL('./support/movable-clock.mjs', import.meta.url);
const HOUR_MS = 3_600_000;
/** The service’s clock goes forward by this much at a time, from ten days ago on. */
const STEP_MS = 8 * HOUR_MS;
const STEPS = 30;
const DESKTOP =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

const ZONE: Zone = {
  ...ordinaryMail('gmail.com', 'harvard.edu'),
  'speedy-offers.com': { MX: [[10, 'mx.speedy-offers.com']] },
  'mx.speedy-offers.com': { A: ['93.184.216.77'] },
  'crestomail.com': { MX: [[10, 'route1.mx.cloudflare.net']] },
  'marlowpost.com': { MX: [[10, 'route1.mx.cloudflare.net']] },
  'route1.mx.cloudflare.net': { A: ['93.184.216.41'] },
};

interface Visitor {
  readonly email: string;
  readonly ip: string;
  readonly fingerprint?: string;
}

let people = 0;
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
const times = (count: number, visit: (index: number) => Visitor) =>
  Array.from({ length: count }, (_, index) => visit(index));
const farmer = (domain = 'crestomail.com'): Visitor => ({
  ...{ email: `${name()}@${domain}`, ip: line(), fingerprint: name() },
});
/** From two networks, with six browsers. */
const attackers: string[] = [];
const attacker = (index: number): Visitor => ({
  email: attackers[attackers.push(`${name()}@speedy-offers.com`) - 1] ?? '',
  ip: `95.216.4${index % 2}.${index + 1}`,
  fingerprint: `rented-${index % 6}`,
});

describe.runIf(process.platform !== 'win32').each(USUAL_BACK_ENDS)('campaigns on %s', (backEnd) => {
  let service: TestService;
  let project: TestProject;
  let analyst: DashboardClient;
  let step = 0;

  const now = () => Date.now() + Math.min(0, step - 1 - STEPS) * STEP_MS;
  const ask = async (body: Visitor) =>
    (await untilCounted(() => project.validate({ userAgent: DESKTOP, ...body }))).json;
  const wait = async () => {
    service.process.kill('SIGWINCH');
    const told = `the clock is off by ${(step - STEPS) * STEP_MS}\n`;
    step += 1;
    while (!service.output().includes(told)) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const play = async (visits: readonly Visitor[], perStep = visits.length) => {
    const answers = [];
    for (const [index, visit] of visits.entries()) {
      if (index > 0 && index % perStep === 0) await wait();
      answers.push(await ask(visit));
    }
    return answers.map(({ recommendation }) => recommendation);
  };
  const look = () => noticeCampaigns(service, now());
  const path = (rest = '') => `/projects/${project.id}/campaigns${rest}`;
  const list = async (): Promise<CampaignView[]> => {
    const { rows }: CampaignsView = (await analyst.get(path())).json;
    return rows;
  };
  const campaignWith = async (thing: string): Promise<CampaignView> => {
    const [found]: CampaignView[] = (await analyst.get(path(`?of=${encodeURIComponent(thing)}`))).json.rows;
    if (found === undefined) throw new Error(`No campaign with ${thing}`);
    return found;
  };

  beforeAll(async () => {
    const shifts = Array.from({ length: STEPS }, (_, index) => (index - STEPS) * STEP_MS);
    service = await startServiceOn(backEnd, {
      zone: ZONE,
      env: { NODE_OPTIONS: `--import=${CLOCK.href}`, CLOCK_SHIFTS: shifts.join(',') },
    });
    project = await service.makeProject();
    await wait();
    await play(
      times(60, () => ({ email: `${name()}@gmail.com`, ip: line(), fingerprint: name() })),
      6,
    );
  });
  afterAll(() => service?.close());

  let farm: string[] = [];
  let attack: string[] = [];

  it('see a slow farm and a fast attack, one each, and no class and no launch day', async () => {
    farm = await play(
      times(12, () => farmer()),
      3,
    );
    farm.push(
      ...(await play(
        times(6, () => farmer('marlowpost.com')),
        3,
      )),
    );
    await wait();
    // A class in one room and a launch day: many within the hour.
    await play(times(25, () => ({ email: `${name()}@harvard.edu`, ip: '128.103.1.9', fingerprint: name() })));
    await play(times(40, () => ({ email: `${name()}@gmail.com`, ip: line(), fingerprint: name() })));
    attack = await play(times(48, attacker));
    await look();
    analyst = await member(service, 'analyst');

    const campaigns = await list();
    expect(campaigns.map((campaign) => campaign.people).sort((one, other) => one - other)).toEqual([18, 48]);
    const counts = (answers: readonly string[]) => ({
      allow: answers.filter((answer) => answer === 'allow').length,
      flag: answers.filter((answer) => answer === 'flag').length,
      block: answers.filter((answer) => answer === 'block').length,
    });
    const slow = await campaignWith('crestomail.com');
    expect(slow).toMatchObject({
      ...{ answers: counts(farm), allowedBefore: counts(farm).allow, good: 0, bad: 0 },
      ...{ acknowledgedAt: null, decisions: [], spread: { domains: 2, networks: 18, devices: 18 } },
    });
    expect(slow.things.map(({ kind, name: thing }) => [kind, thing])).toEqual([
      ['domain', 'crestomail.com'],
      ['domain', 'marlowpost.com'],
    ]);
    expect(slow.lastSeen - slow.since).toBeGreaterThan(30 * HOUR_MS);
    const fast = await campaignWith('speedy-offers.com');
    expect(fast).toMatchObject({
      answers: counts(attack),
      underWay: true,
      spread: { devices: 6, networks: 2 },
    });
    expect(new Set(fast.things.map(({ kind }) => kind))).toEqual(
      new Set(['domain', 'mailHost', 'device', 'network']),
    );
    expect(fast.lastSeen - fast.since).toBeLessThan(HOUR_MS);
  });

  it('go on growing, and are told once', async () => {
    const before = await campaignWith('speedy-offers.com');
    await play(times(12, attacker));
    await look();
    const after = await campaignWith('speedy-offers.com');
    expect(after).toMatchObject({ id: before.id, people: 60, seenAt: before.seenAt, since: before.since });
    expect(await list()).toHaveLength(2);
    const { rows: events } = (await analyst.get(`/projects/${project.id}/events?type=campaign.detected`))
      .json;
    expect(events).toHaveLength(2);
    const told = events.find(({ data }: { data: { campaign: string } }) => data.campaign === before.id);
    expect(told.data).toMatchObject({ people: 48, domains: ['speedy-offers.com'] });
    expect(JSON.stringify(told.data)).not.toMatch(/rented-|joan/);
    expect(told.data.page).toContain(`/dashboard/projects/${project.id}/campaigns/${before.id}`);
  });

  it('have their people, with the reasons, and their request IDs', async () => {
    const { id } = await campaignWith('speedy-offers.com');
    const first: CampaignPeople = (await analyst.get(path(`/${id}/people?limit=40`))).json;
    for (const list of ['', `/${id}/people`, `/${id}/requests`])
      for (const after of ['1e999.x', '-1.x', 'next']) {
        const odd = await analyst.get(path(`${list}?after=${after}`));
        expect([odd.status, odd.json.field]).toEqual([400, 'after']);
      }
    const rest: CampaignPeople = (await analyst.get(path(`/${id}/people?limit=40&after=${first.next}`))).json;
    const all = [...first.rows, ...rest.rows];
    expect([all.length, rest.next]).toEqual([60, null]);
    expect(new Set(all.map(({ inbox }) => inbox)).size).toBe(60);
    expect(all[0]?.maskedAddress).toMatch(/^j\*\*\*@speedy-offers\.com$/);
    expect((await campaignWith(all[7]?.inbox ?? '')).id).toBe(id);
    const { rows } = (await analyst.get(path(`/${id}/requests?limit=1000`))).json;
    expect(rows).toHaveLength(60);
    const file = (await analyst.get(path(`/${id}/requests.csv?allowed=true`))).text.trim().split('\n');
    const allowed = rows.filter(({ answer }: { answer: string }) => answer === 'allow');
    expect(file[0]).toBe('request,time,answer,address,person,outcome');
    expect(file.slice(1).map((each) => each.split(',')[0])).toEqual(
      allowed.map(({ requestId }: { requestId: string }) => requestId),
    );
    expect((await analyst.get(path('/nothing'))).status).toBe(404);
  });

  it('are blocked and marked as one, which is undone as one', async () => {
    const { id, answers } = await campaignWith('speedy-offers.com');
    const good = await ask({ email: 'jane.doe@gmail.com', ip: '95.216.40.77' });
    expect(good.recommendation).not.toBe('block');
    await service.ask({
      method: 'POST',
      path: '/v1/outcomes',
      headers: { authorization: `Bearer ${project.serverKey}`, 'x-project-id': project.id },
      body: JSON.stringify({ outcomes: [{ email: 'jane.doe@gmail.com', outcome: 'good' }] }),
    });
    const detail: CampaignDetail = (await analyst.get(path(`/${id}`))).json;
    expect(detail.hits).toMatchObject({ people: 1, listed: [{ maskedAddress: 'j***@gmail.com' }] });

    const viewer = await member(service, 'viewer');
    const decide = (body: object, client = analyst) => client.post(path(`/${id}/decide`), body);
    expect((await decide({ action: 'block' }, viewer)).status).toBe(403);
    expect((await decide({ action: 'none' })).status).toBe(400);
    expect((await decide({ action: 'block', things: [{ kind: 'domain', name: 'gmail.com' }] })).status).toBe(
      400,
    );

    const decided = await decide({ action: 'block', days: 7, note: 'Night of the offers', bad: true });
    expect([decided.status, decided.json.acknowledgedByName]).toEqual([200, 'A analyst']);
    expect(decided.json.decisions).toMatchObject([{ action: 'block', bad: true, byName: 'A analyst' }]);
    expect(decided.json.decisions[0].entries).toContain('mx:93.184.216.77');
    for (const visitor of [
      { email: 'new.person@speedy-offers.com', ip: '81.2.69.142' },
      { email: 'new.person@gmail.com', ip: '95.216.41.200' },
      { email: 'new.person@gmail.com', ip: '81.2.69.142', fingerprint: 'rented-3' },
    ])
      expect((await ask(visitor)).recommendation).toBe('block');
    expect(await campaignWith('speedy-offers.com')).toMatchObject({ bad: 60, good: 0, answers });
    const audit = (await (await member(service, 'owner')).get(`/audit?project=${project.id}`)).json.rows;
    expect(
      audit.filter(({ action }: { action: string }) => /^campaign|judge|lists/.test(action)),
    ).toMatchObject([{ action: 'campaign.decide', detail: { campaign: id, decision: 'block', bad: true } }]);

    const claims = async (policy: object) => {
      await service.admin(async (parts) => {
        const { updateProject } = await import('../dist/operations/change-project.js');
        await updateProject(parts, project.id, { policy });
      });
      const headers = { authorization: `Bearer ${project.serverKey}`, 'x-project-id': project.id };
      const body = JSON.stringify({ claim: 'trial', email: attackers.at(-1), dryRun: true });
      return (await untilCounted(() => service.ask({ method: 'POST', path: '/v1/claims', headers, body })))
        .json;
    };
    expect(await claims({ claimCampaigns: 'refuse' })).toMatchObject({
      granted: false,
      because: ['campaign'],
    });
    expect(await claims({ claimCampaigns: 'allow' })).toMatchObject({ granted: true });

    const undone = await analyst.post(path(`/${id}/undo`));
    expect([undone.status, undone.json.decisions]).toEqual([200, []]);
    expect(await campaignWith('speedy-offers.com')).toMatchObject({ bad: 0, good: 0 });
    const again = await ask({ email: 'another.person@gmail.com', ip: '81.2.69.143', fingerprint: name() });
    expect(again.recommendation).toBe('allow');
    expect((await service.admin(({ store }) => store.projects.find(project.id)))?.blockList).toEqual([]);
    expect((await analyst.post(path(`/${id}/undo`))).status).toBe(400);
  });

  it('are flagged by entries that flag', async () => {
    const { id } = await campaignWith('crestomail.com');
    await analyst.post(path(`/${id}/decide`), { action: 'flag' });
    const flagged = await ask({ email: 'someone@marlowpost.com', ip: '81.2.69.150' });
    expect(flagged).toMatchObject({ recommendation: 'flag' });
    expect(flagged.signals).toContain('block_listed');
    expect(flagged.message).not.toBeNull();
  });

  it('keep a decision that somebody made after the one to take back', async () => {
    const { id, decisions } = await campaignWith('crestomail.com');
    const [{ at = 0 } = {}] = decisions;
    const undo = (before: number) => analyst.post(path(`/${id}/undo`), { at: at - before });
    const refused = await undo(1);
    expect([refused.status, refused.json.error]).toEqual([
      409,
      expect.stringMatching(/^The campaign: somebody else/),
    ]);
    expect(await campaignWith('crestomail.com')).toMatchObject({ decisions });
    const listed = async () =>
      (await service.admin(({ store }) => store.projects.find(project.id)))?.blockList;
    expect(await listed()).not.toEqual([]);
    const undone = await undo(0);
    expect([undone.status, undone.json.decisions, await listed()]).toEqual([200, [], []]);
  });

  it('wait until somebody acknowledged them, also the next morning', async () => {
    const open = async () => (await analyst.get(path('?state=open'))).json.rows.length;
    const { id } = await campaignWith('speedy-offers.com');
    await analyst.call('PATCH', path(`/${id}`), { acknowledged: false });
    await wait();
    await look();
    expect(await open()).toBe(1);
    const { json } = await analyst.call('PATCH', path(`/${id}`), { acknowledged: true });
    expect([json.acknowledgedByName, await open()]).toEqual(['A analyst', 0]);
  });

  it('forget a person who is erased', async () => {
    const { id, people: before } = await campaignWith('speedy-offers.com');
    const { rows }: CampaignPeople = (await analyst.get(path(`/${id}/people?limit=1`))).json;
    const admin = await member(service, 'admin');
    const inbox = rows[0]?.inbox ?? '';
    const exported = (await admin.get(`/projects/${project.id}/people/${inbox}/export`)).json;
    expect(exported.others.campaign_person).toHaveLength(1);
    await admin.post(`/projects/${project.id}/people/${inbox}/erase`, { erase: true });
    expect(await campaignWith('speedy-offers.com')).toMatchObject({ people: before - 1 });
  });
});
