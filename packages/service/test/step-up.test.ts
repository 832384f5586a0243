import { CAPTCHA_VENDORS, CHALLENGE_TRIES, type Challenge, type StepUp, TEST_CODE } from '@postern/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeRoutes } from '../dist/dashboard-api/store-routes.js';
import { forgetPerson } from '../dist/operations/personal-data.js';
import { operationsOf } from '../dist/operations/run-operation.js';
import { type CaptchaDesk, startCaptchaDesk } from './support/captcha-desk.ts';
import { type Mailbox, startMailbox } from './support/mailbox.ts';
import { createKey, type TestProject, type TestService, updateProject } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';
import { solveWork } from './support/step-up.ts';

const claimsOf = (verdict: string | undefined) =>
  JSON.parse(Buffer.from(verdict?.split('.')[1] ?? '', 'base64url').toString());

/** A role address is flagged. */
const flagged = (name: string) => ({ email: `${name}@mail-house.net`, validations: { roleEmail: 'flag' } });
const ROLES = ['info', 'support', 'sales', 'admin', 'billing', 'contact', 'office', 'help', 'jobs', 'press'];

describe.each(USUAL_BACK_ENDS)('step-up on %s', (backEnd) => {
  let service: TestService;
  let mailbox: Mailbox;
  let desk: CaptchaDesk;
  beforeAll(async () => {
    [mailbox, desk] = await Promise.all([startMailbox(), startCaptchaDesk()]);
    service = await startServiceOn(backEnd, { env: { ...mailbox.env, ...desk.env } });
  });
  afterAll(async () => {
    await service.close();
    await Promise.all([mailbox.close(), desk.close()]);
  });

  const asking = (stepUp: StepUp, more: object = {}) =>
    service.makeProject({
      name: 'Shop & Co',
      policy: { stepUp, stepUpEffort: 'low', actions: { roleEmail: 'flag' }, ...more },
    });
  const post = (of: TestProject, id: string, body: object, key = of.serverKey, headers = {}) =>
    service.ask({
      method: 'POST',
      path: `/v1/challenges/${id}`,
      headers: { authorization: `Bearer ${key}`, 'x-project-id': of.id, ...headers },
      body: JSON.stringify(body),
    });
  const prove = (of: TestProject, id: string, proof: string) => post(of, id, { proof });
  const challengeOf = (answer: { json: unknown }) =>
    (answer.json as { challenge?: Challenge }).challenge ?? expect.fail('there is no challenge');
  const codesFor = (name: string, count = 1) => mailbox.codesFor(`${name}@mail-house.net`, count);
  const rowOf = (of: TestProject, requestId: string) =>
    service.admin(({ store }) => store.log.findByRequest(of.id, requestId));

  it('a mailed code makes an allow of a flag, once', async () => {
    const own = await asking('code');
    const answer = await own.validate({ ...flagged('info'), locale: 'de' });
    expect(answer.json).toMatchObject({ recommendation: 'flag' });
    const { id, kind, expiresAt, texts, language } = challengeOf(answer);
    expect({ kind, language }).toEqual({ kind: 'code', language: 'de' });
    expect(texts.confirm).toBe('Bestätigen');
    const left = Date.parse(expiresAt) - Date.now();
    expect(left).toBeGreaterThan(8 * 60_000);
    expect(left).toBeLessThanOrEqual(10 * 60_000);

    // In the person’s language, as text and as HTML, with the site’s name.
    const [code = ''] = await codesFor('info');
    const mail = mailbox.received.find(({ to }) => to[0] === 'info@mail-house.net')?.text ?? '';
    expect(mail).toMatch(new RegExp(`^Subject: .*${code}.ist.Ihr.Code`, 'm'));
    expect(mail).toMatch(/Content-Type: text\/plain[\s\S]*Content-Type: text\/html/);
    expect(mail).toContain('Shop &#38; Co');

    const wrong = await prove(own, id, code === '123456' ? '654321' : '123456');
    expect(wrong.json).toEqual({ passed: false, triesLeft: 4 });
    // Of several right ones at once exactly one passes.
    const proofs = await Promise.all(
      [` ${code.slice(0, 3)} ${code.slice(3)} `, code, code, code].map((proof) => prove(own, id, proof)),
    );
    const passed = proofs.filter(({ status }) => status === 200);
    expect(passed.map(({ json }) => json)).toEqual([{ passed: true, recommendation: 'allow' }]);
    const refused = proofs.filter(({ status }) => status !== 200);
    expect(refused.map(({ json }) => json)).toEqual(Array(3).fill({ error: 'Challenge was already used' }));
    const verdict = claimsOf(passed[0]?.headers['x-postern-verdict']);
    expect(verdict).toMatchObject({
      aud: own.id,
      recommendation: 'allow',
      steppedUp: 'code',
      signals: ['role_email'],
      requestId: answer.headers['x-request-id'],
    });
    // No quota, but the rate.
    expect(passed[0]?.headers['x-quota-used']).toBe('1');
    expect(Number(answer.headers['x-ratelimit-remaining']) - 5).toBe(
      Math.min(...proofs.map(({ headers }) => Number(headers['x-ratelimit-remaining']))),
    );
    expect(await rowOf(own, verdict.requestId)).toMatchObject({ recommendation: 'flag', steppedUp: 'code' });
    const queue = { projectId: own.id, memberId: 'm', now: Date.now() };
    expect(await service.admin(({ store }) => store.review.count(queue, 10))).toBe(0);
    const stored = await service.admin(({ store }) => store.challenges.asked(own.id, { since: 0 }));
    expect(stored).toMatchObject([{ kind: 'code', passedAt: expect.any(Number) }]);
  });

  it('five tries are all, at once too; others cannot use a challenge', async () => {
    const [own, other] = await Promise.all([asking('code'), asking('code')]);
    const challenge = challengeOf(await own.validate(flagged('support')));
    const { id } = challenge;
    const [code = ''] = await codesFor('support');
    const unknown = { error: 'Challenge not found' };
    expect((await prove(other, id, code)).json).toEqual(unknown);
    const byPage = await post(own, id, { proof: code }, own.clientKey, { origin: 'https://app.example' });
    expect([byPage.status, byPage.json]).toEqual([404, unknown]);
    expect(byPage.headers['access-control-allow-origin']).toBe('https://app.example');
    expect((await prove(own, `${id}x`, code)).json).toEqual(unknown);
    expect((await post(own, id, { proof: code }, own.clientKey)).status).toBe(403);
    expect((await post(own, id, { proof: code }, 'nonsense')).status).toBe(401);
    expect((await post(own, id, {})).json).toEqual({
      error: 'proof must be a string of 1 to 4096 characters',
    });
    const wrong = code === '000001' ? '000002' : '000001';
    const tries = await Promise.all(Array.from({ length: 12 }, () => prove(own, id, wrong)));
    const left = tries.flatMap(({ json }) => ('triesLeft' in json ? [json.triesLeft] : []));
    expect(left.sort()).toEqual([0, 1, 2, 3, 4]);
    expect(left).toHaveLength(CHALLENGE_TRIES);
    expect((await prove(own, id, code)).status).toBe(409);
  });

  it('sends the same code again, to the same address only, three times an hour', async () => {
    const own = await asking('code');
    const { id } = challengeOf(await own.validate(flagged('sales')));
    const resend = (email: string) => post(own, id, { resend: true, email });
    expect((await resend('billing@mail-house.net')).json).toEqual({ error: 'Challenge not found' });
    expect((await resend('Sales@Mail-House.net')).json).toEqual({ sent: true });
    expect((await resend('sales@mail-house.net')).json).toEqual({ sent: true });
    expect((await resend('sales@mail-house.net')).json).toEqual({ sent: false });
    const codes = await codesFor('sales', 3);
    expect(codes).toHaveLength(3);
    expect(new Set(codes).size).toBe(1);
    // The next flag of the address is a plain one, however it is spelt.
    for (const name of ['sales', 'Sales', 'sales+1', 'sales+x+2'])
      expect((await own.validate(flagged(name))).json).not.toHaveProperty('challenge');
    expect((await prove(own, id, codes[0] ?? '')).json).toMatchObject({ passed: true });
  });

  it('mails at most 20 codes to a visitor, and so many in a project’s hour as the policy says', async () => {
    const own = await asking('code', { stepUpMailRate: 25 });
    const others = async (from: number, count: number, ip: string) => {
      const tries = Array.from({ length: count }, async (_, each) => {
        const email = `${ROLES[(from + each) % 10]}@house${Math.floor((from + each) / 10)}.mail-house.net`;
        const answer = await own.validate({ email, ip, validations: { roleEmail: 'flag' } });
        return 'challenge' in (answer.json as object);
      });
      return (await Promise.all(tries)).filter(Boolean).length;
    };
    // Each is another inbox.
    expect(await others(0, 24, '93.184.216.34')).toBe(20);
    expect(await others(30, 10, '45.33.32.156')).toBe(5);
    const events = await service.admin(({ store }) => store.events.page(own.id, 50, null));
    expect(JSON.stringify(events)).toContain('step_up.mail_stopped');
  });

  it('work is done once, by whoever has the challenge', async () => {
    const own = await asking('work');
    const challenge = challengeOf(await own.validateFromPage({ email: 'info@mail-house.net' }));
    expect(challenge).toMatchObject({ kind: 'work', work: { algorithm: 'PBKDF2/SHA-256', maxCounter: 300 } });
    const page = (proof: string) =>
      post(own, challenge.id, { proof }, own.clientKey, { origin: 'https://app.example' });
    for (const proof of ['7', '7:00', `-1:${'0'.repeat(64)}`, 'NaN:zz'])
      expect((await page(proof)).json).toMatchObject({ passed: false });
    const proof = solveWork(challenge.work ?? expect.fail('there is no work'));
    const done = await page(proof);
    expect(done.json).toEqual({ passed: true, recommendation: 'allow' });
    expect(claimsOf(done.headers['x-postern-verdict'])).toMatchObject({
      steppedUp: 'work',
      page: expect.any(String),
    });
    expect((await page(proof)).status).toBe(409);
    // The proof of one challenge is none of another.
    const next = challengeOf(await own.validateFromPage({ email: 'support@mail-house.net' }));
    const foreign = await post(own, next.id, { proof }, own.clientKey, { origin: 'https://app.example' });
    expect(foreign.json).toEqual({ passed: false, triesLeft: 4 });
  });

  it('a token of the site’s own CAPTCHA counts, as the vendor says, and its secret is never shown or stored in clear', async () => {
    await expect(asking('vendor')).rejects.toThrow(
      /Create the project without vendor, then enter the account/,
    );
    const own = await asking('none');
    const choose = (stepUp: StepUp) =>
      service.admin((admin) => updateProject(admin, own.id, { policy: { stepUp } }));
    await expect(choose('vendor')).rejects.toThrow(
      /First enter the account at your CAPTCHA vendor.*step-up-vendor'/,
    );
    const rule = { id: 'roles', name: 'Roles', when: 'email.role', then: 'flag', stepUp: 'vendor' } as const;
    const ruled = service.admin((admin) =>
      updateProject(admin, own.id, { rules: [{ ...rule, mode: 'live' }] }),
    );
    await expect(ruled).rejects.toThrow(/First enter the account/);
    const operations = <T>(
      work: (call: ReturnType<typeof operationsOf<keyof typeof storeRoutes>>) => Promise<T>,
    ) => service.admin((admin) => work(operationsOf(storeRoutes, admin)));
    const set = (body: object) =>
      operations((call) =>
        call('POST /projects/:id/step-up-vendor', { id: own.id }, { siteKey: 'site', ...body } as never),
      );
    await expect(set({ vendor: 'turnstile' })).rejects.toThrow(/Give the secret/);
    for (const vendor of CAPTCHA_VENDORS) {
      expect(await set({ vendor, secret: `secret of ${vendor}` })).toEqual({
        vendor,
        siteKey: 'site',
        away: 'flag',
      });
      await choose('vendor');
      const { id, ...challenge } = challengeOf(await own.validate(flagged('sales')));
      expect(challenge).toMatchObject({ kind: 'vendor', vendor: { name: vendor, siteKey: 'site' } });
      expect((await prove(own, id, 'bad token')).json).toEqual({ passed: false, triesLeft: 4 });
      desk.misbehave((response) => response.writeHead(503).end());
      expect((await prove(own, id, `good token of ${vendor}`)).status).toBe(503);
      desk.misbehave();
      const passed = await prove(own, id, `good token of ${vendor}`);
      expect(passed.json).toEqual({ passed: true, recommendation: 'allow' });
      expect(claimsOf(passed.headers['x-postern-verdict'])).toMatchObject({ steppedUp: 'vendor' });
    }
    const stored = await service.admin(({ store }) => store.challenges.vendor(own.id));
    expect(JSON.stringify(stored)).not.toContain('secret of');
    await set({ vendor: 'friendly', away: 'allow' });
    const { id } = challengeOf(await own.validate(flagged('sales')));
    desk.misbehave((response) => response.destroy());
    expect((await prove(own, id, 'any')).json).toMatchObject({ passed: true });
    desk.misbehave();
    const forget = () => operations((call) => call('DELETE /projects/:id/step-up-vendor', { id: own.id }));
    await expect(forget()).rejects.toThrow(/Flags ask for it/);
    await choose('none');
    await forget();
    expect(
      await operations((call) => call('GET /projects/:id/step-up-vendor', { id: own.id })),
    ).toMatchObject({
      vendor: null,
    });
  });

  it('a rule can ask for something of its own, and a project that asks for nothing has no challenge', async () => {
    const own = await asking('none');
    expect((await own.validate(flagged('info'))).json).not.toHaveProperty('challenge');
    const rule = { id: 'roles', name: 'Roles', when: 'email.role', then: 'flag', mode: 'live' } as const;
    await service.admin((admin) => updateProject(admin, own.id, { rules: [{ ...rule, stepUp: 'work' }] }));
    expect(challengeOf(await own.validate(flagged('info'))).kind).toBe('work');
    const blocking = { ...rule, then: 'block', stepUp: 'work' } as const;
    const change = service.admin((admin) => updateProject(admin, own.id, { rules: [blocking] }));
    await expect(change).rejects.toThrow(/Only a rule whose answer \(then\) is flag/);
    const without = service.admin((admin) =>
      updateProject({ ...admin, sendsMail: false }, own.id, { policy: { stepUp: 'code' } }),
    );
    await expect(without).rejects.toThrow(/Set POSTERN_SMTP_URL/);
  });

  it('an idempotent repeat gets the same challenge; a test key gets the documented code and no mail', async () => {
    const own = await asking('code');
    const repeat = () => own.validate(flagged('jobs'), { 'idempotency-key': 'once' });
    expect(challengeOf(await repeat())).toEqual(challengeOf(await repeat()));
    expect(await codesFor('jobs')).toHaveLength(1);
    const test = await service.admin((admin) =>
      createKey(admin, { projectId: own.id, type: 'server', mode: 'test' }),
    );
    const authorization = `Bearer ${test.secret}`;
    const tried = challengeOf(await own.validate(flagged('press'), { authorization }));
    expect(await codesFor('press', 0)).toEqual([]);
    const passed = await post(own, tried.id, { proof: TEST_CODE }, test.secret);
    expect(claimsOf(passed.headers['x-postern-verdict'])).toMatchObject({ mode: 'test', steppedUp: 'code' });
  });

  it('nothing stored names the person, and forgetting them ends their challenge', async () => {
    const own = await asking('code');
    const { id } = challengeOf(await own.validate(flagged('contact')));
    const dump = await service.admin(async ({ store }) => {
      const [row] = (await store.log.page(own.id, {}, 1, null)).rows;
      return JSON.stringify(
        await store.erasure.find(own.id, { inboxes: [row?.inboxHash ?? ''], devices: [] }, []),
      );
    });
    expect(dump).toContain('"challenge"');
    expect(dump).not.toMatch(/contact@|mail-house/);
    expect(dump).not.toContain(id);
    await service.admin((admin) =>
      forgetPerson(admin, own.id, { email: 'contact@mail-house.net', erase: true }),
    );
    expect((await prove(own, id, (await codesFor('contact'))[0] ?? '')).status).toBe(404);
  });

  it('if the mail server refuses, the answer is a plain flag', async () => {
    const own = await asking('code');
    mailbox.refuse();
    const answer = await own.validate(flagged('office'));
    expect(answer.json).toMatchObject({ recommendation: 'flag' });
    expect(answer.json).not.toHaveProperty('challenge');
    expect(await service.admin(({ store }) => store.challenges.asked(own.id, { since: 0 }))).toEqual([]);
  });
});
