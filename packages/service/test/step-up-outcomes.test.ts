import type { ServerResponse } from 'node:http';
import type { Challenge, StepUp } from '@postern/contract';
import type { CampaignDetail, OutcomeReportView, ValidationRow } from '@postern/contract/dashboard';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { noticeCampaigns } from './support/campaign-people.ts';
import { type CaptchaDesk, startCaptchaDesk } from './support/captcha-desk.ts';
import { type DashboardClient, member } from './support/dashboard.ts';
import { type Mailbox, startMailbox } from './support/mailbox.ts';
import { startService, type TestProject, type TestService, updateProject } from './support/service.ts';
import { standIn } from './support/sign-in-servers.ts';
import { FAST_ATTACK, solveWork } from './support/step-up.ts';

const CLOCK = new URL('./support/movable-clock.mjs', import.meta.url);
const MINUTE_MS = 60_000;

let service: TestService;
let mailbox: Mailbox;
let desk: CaptchaDesk;
let admin: DashboardClient;
beforeAll(async () => {
  [mailbox, desk] = await Promise.all([startMailbox(), startCaptchaDesk()]);
  const clock = { NODE_OPTIONS: `--import=${CLOCK.href}`, CLOCK_SHIFTS: String(11 * MINUTE_MS) };
  service = await startService({ env: { ...mailbox.env, ...desk.env, ...clock } });
  admin = await member(service, 'admin');
});
afterAll(async () => {
  await service.close();
  await Promise.all([mailbox.close(), desk.close()]);
});

const asking = (stepUp: StepUp) =>
  service.makeProject({ policy: { stepUp, stepUpEffort: 'low', actions: { roleEmail: 'flag' } } });
const post = (of: TestProject, path: string, body: object, key = of.serverKey) =>
  service.ask({
    method: 'POST',
    path,
    headers: {
      authorization: `Bearer ${key}`,
      'x-project-id': of.id,
      ...(key === of.clientKey && { origin: 'https://app.example' }),
    },
    body: JSON.stringify(body),
  });
const prove = (of: TestProject, id: string, proof: string, key?: string) =>
  post(of, `/v1/challenges/${id}`, { proof }, key);
const challengeOf = (answer: { json: unknown }) =>
  (answer.json as { challenge?: Challenge }).challenge ?? expect.fail('there is no challenge');
const ask = async (of: TestProject, email: string) => challengeOf(await of.validate({ email }));
const solved = ({ work }: Challenge) => solveWork(work ?? expect.fail('there is no work'));
const report = async (of: TestProject): Promise<OutcomeReportView> =>
  (await admin.get(`/projects/${of.id}/outcomes`)).json;
const log = async (of: TestProject): Promise<ValidationRow[]> =>
  (await admin.get(`/projects/${of.id}/validations`)).json.rows;
const stepUps = async (of: TestProject) =>
  Object.fromEntries((await log(of)).map(({ maskedAddress, stepUp }) => [maskedAddress.slice(0, 1), stepUp]));

const answers = (body: string) => (response: ServerResponse) =>
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
/** The vendor’s answers that say nothing, and those that do not say yes. */
const HOSTILE: Readonly<
  Record<string, readonly [status: number, (response: ServerResponse, path: string) => void]>
> = {
  'hangs up': [503, (response) => response.destroy()],
  'never answers': [503, () => {}],
  'never ends': [503, (response) => response.writeHead(200).write('{"success":')],
  'answers far too much': [503, answers(`{"success":true,"more":"${'x'.repeat(200_000)}"}`)],
  'answers no JSON': [503, answers('<p>success: true')],
  'leads elsewhere': [
    503,
    (response, path) =>
      path === '/yes'
        ? answers('{"success":true}')(response)
        : response.writeHead(307, { Location: new URL('/yes', desk.url).href }).end(),
  ],
  'refuses the account': [503, (response) => response.writeHead(401).end('{"success":false}')],
  'refuses the secret': [503, answers('{"success":false,"error-codes":["invalid-input-secret"]}')],
  'refuses the key': [503, answers('{"success":false,"error":{"error_code":"auth_invalid"}}')],
  'was asked about another site': [
    200,
    answers('{"success":false,"error-codes":["sitekey-secret-mismatch"]}'),
  ],
  'says true as a text': [200, answers('{"success":"true"}')],
  'says null': [200, answers('null')],
  'says a list': [200, answers('[{"success":true}]')],
};

it('a vendor that misbehaves lets nobody pass', async () => {
  const own = await asking('none');
  const account = { vendor: 'hcaptcha', siteKey: 'site', secret: 'secret of hcaptcha' };
  const path = `/projects/${own.id}`;
  expect((await admin.call('PATCH', path, { policy: { stepUp: 'vendor' } })).json.error).toMatch(
    /^First enter the account/,
  );
  expect((await admin.post(`${path}/step-up-vendor`, account)).status).toBe(200);
  expect((await admin.call('PATCH', path, { policy: { stepUp: 'vendor' } })).status).toBe(200);
  const found: Record<string, number> = {};
  for (const [name, [, how]] of Object.entries(HOSTILE)) {
    const { id } = await ask(own, 'sales@mail-house.net');
    desk.misbehave(how);
    const { status, json } = await prove(own, id, 'good token of hcaptcha');
    if (status === 200) expect(json).toEqual({ passed: false, triesLeft: 4 });
    found[name] = status;
    desk.misbehave();
    // The person can try again.
    expect((await prove(own, id, 'good token of hcaptcha')).json).toMatchObject({ passed: true });
  }
  expect(found).toEqual(
    Object.fromEntries(Object.entries(HOSTILE).map(([name, [status]]) => [name, status])),
  );
  // Members are alerted once an hour.
  const { rows } = (await admin.get(`${path}/events?type=step_up.vendor_failed`)).json;
  expect(rows).toHaveLength(1);
});

it('a hook allows who has passed, with the second verdict, and flags them with the first and others with either', async () => {
  const own = await asking('work');
  const server = await standIn(service, own.id, 'generic');
  const [email, other] = ['info@mail-house.net', 'sales@mail-house.net'];
  const asked = await own.validateFromPage({ email });
  const challenge = challengeOf(asked);
  const done = await prove(own, challenge.id, solved(challenge), own.clientKey);
  const verdicts = [done, asked].map(({ headers }) => headers['x-postern-verdict'] ?? '');
  const said = [];
  for (const signUp of [email, other].flatMap((each) =>
    verdicts.map((verdict) => ({ email: each, verdict })),
  ))
    said.push((await server.signUp(signUp)).json.recommendation);
  expect(said).toEqual(['allow', 'flag', 'flag', 'flag']);
  const blocking = { policy: { actions: { roleEmail: 'block' } } } as const;
  await service.admin((using) => updateProject(using, own.id, blocking));
  const blocked = await server.signUp({ email, verdict: verdicts[0] ?? '' });
  expect(blocked.json.recommendation).toBe('block');
});

it('a fast attack makes the work harder, and its page says how many of its people were asked and passed', async () => {
  const own = await asking('none');
  const rule = {
    id: 'all',
    name: 'All',
    when: 'email.domain == "mail-house.net"',
    then: 'flag',
    mode: 'live',
  };
  await service.admin((using) =>
    updateProject(using, own.id, { rules: [{ ...rule, stepUp: 'work' } as never] }),
  );
  const challenges: Challenge[] = [];
  for (const attacker of FAST_ATTACK) challenges.push(challengeOf(await own.validate(attacker)));
  expect(new Set(challenges.map(({ work }) => work?.maxCounter))).toEqual(new Set([300]));
  for (const challenge of challenges.slice(0, 3))
    expect((await prove(own, challenge.id, solved(challenge))).json).toMatchObject({ passed: true });
  await noticeCampaigns(service);
  const [{ id }] = (await admin.get(`/projects/${own.id}/campaigns`)).json.rows;
  const campaign: CampaignDetail = (await admin.get(`/projects/${own.id}/campaigns/${id}`)).json;
  expect(campaign.stepUps).toMatchObject([{ kind: 'work', asked: 40, passed: 3, gaveUp: 0 }]);
  expect((await ask(own, 'somebody.else@mail-house.net')).work?.maxCounter).toBe(1_500);
});

it('the log says what was asked and how it ended, and the figures count how those people turned out', async () => {
  const own = await asking('work');
  const [good, bad, unknown] = [
    await ask(own, 'info@mail-house.net'),
    await ask(own, 'sales@mail-house.net'),
    await ask(own, 'jobs@mail-house.net'),
  ];
  const failed = await ask(own, 'press@mail-house.net');
  await ask(own, 'office@mail-house.net');
  for (const challenge of [good, bad, unknown]) await prove(own, challenge.id, solved(challenge));
  for (let tries = 0; tries < 5; tries += 1) await prove(own, failed.id, '1:00');
  expect(await stepUps(own)).toEqual({
    i: { kind: 'work', result: 'passed' },
    s: { kind: 'work', result: 'passed' },
    j: { kind: 'work', result: 'passed' },
    p: { kind: 'work', result: 'failed' },
    o: { kind: 'work', result: 'open' },
  });
  await post(own, '/v1/outcomes', {
    outcomes: [
      { email: 'info@mail-house.net', outcome: 'good' },
      { email: 'sales@mail-house.net', outcome: 'bad' },
      { email: 'office@mail-house.net', outcome: 'good' },
    ],
  });
  expect((await report(own)).stepUps).toMatchObject([
    { kind: 'work', asked: 5, passed: 3, gaveUp: 0, ofPassed: { good: 1, bad: 1, unknown: 1, share: 0.5 } },
  ]);

  // Ten minutes later it cannot be passed any more.
  const mailed = await asking('code');
  const late = await ask(mailed, 'contact@mail-house.net');
  service.process.kill('SIGWINCH');
  await expect.poll(() => service.output()).toContain(`the clock is off by ${11 * MINUTE_MS}\n`);
  const [code = ''] = await mailbox.codesFor('contact@mail-house.net');
  const answer = await prove(mailed, late.id, code);
  expect([answer.status, answer.json]).toEqual([410, { error: 'Challenge has expired' }]);
  const again = await post(mailed, `/v1/challenges/${late.id}`, {
    resend: true,
    email: 'contact@mail-house.net',
  });
  expect(again.status).toBe(410);
  expect(mailbox.received).toHaveLength(1);
  expect(await stepUps(mailed)).toEqual({ c: { kind: 'code', result: 'gave_up' } });
  expect((await report(own)).stepUps).toMatchObject([{ gaveUp: 2, ofGaveUp: { good: 1, unknown: 1 } }]);
  const [row] = await log(mailed);
  const page = (await admin.get(`/projects/${mailed.id}/validations/${row?.id}`)).json;
  expect(page.stepUp).toEqual({ kind: 'code', result: 'gave_up' });
});
