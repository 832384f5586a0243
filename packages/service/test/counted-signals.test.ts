import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProject } from '../src/operations/change-project.ts';
import { ordinaryMail, type ZoneEntry } from './support/dns-server.ts';
import type { Answer } from './support/http-client.ts';
import {
  createKey,
  KNOWN_MAIL,
  startService,
  type TestProject,
  type TestService,
} from './support/service.ts';
import { submissionOf } from './support/store-fixtures.ts';

const DAY = 86_400_000;
const NAMES = ['one', 'two', 'three', 'four'].map((name) => `${name}.mail-house.net`);
const OFFICE = '81.2.69.142';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Throwaway domains on lists, and one that is on none: each has a mail host of its own, all at one address. */
const LISTED = ['mailinator.com', 'getnada.com', 'mailnesia.com'];
const ONE_ADDRESS = Object.fromEntries(
  [...LISTED, 'unlisted-house.net'].flatMap((name) => [
    [name, { MX: [[10, `post.${name.replace('.', '-')}.house-of-mail.net`] as [number, string]] }],
    [`post.${name.replace('.', '-')}.house-of-mail.net`, { A: ['81.2.69.200'] }],
  ]),
);

/** One domain at a parking service, and one where every name has a mail host. */
const PARKED: Record<string, ZoneEntry> = {
  ...ordinaryMail('for-sale-house.net'),
  'for-sale-house.net': { MX: [[10, 'mx.for-sale-house.net']], NS: ['ns1.sedoparking.com'] },
};
const CATCH_ALL = 'open-house-post.net';

let service: TestService;
beforeAll(async () => {
  const zone: Record<string, ZoneEntry> = {
    ...KNOWN_MAIL,
    ...ordinaryMail('new-shop.net', 'soliloquymail.net', CATCH_ALL, ...NAMES),
    ...ONE_ADDRESS,
    ...PARKED,
  };
  service = await startService({
    zone: (name) =>
      name.endsWith(`.${CATCH_ALL}`) ? { MX: [[10, `mx.${CATCH_ALL}`]], A: ['93.184.216.35'] } : zone[name],
  });
});
afterAll(() => service?.close());

/** An ordinary address that no other index has. */
const person = (index: number) =>
  `${LETTERS.charAt(index % 26)}anna.${LETTERS.charAt(Math.floor(index / 26))}schmidt@gmail.com`;
/** An address of a home network that no other index has. */
const home = (index: number) => `81.${10 + Math.floor(index / 200)}.${index % 200}.7`;

async function signUps(
  project: TestProject,
  count: number,
  of: (index: number) => { readonly email: string; readonly ip?: string },
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let index = 0; index < count; index += 1) answers.push(await project.validate(of(index)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  return answers;
}
const signalsOf = (answers: readonly Answer[]): string[] => answers.flatMap(({ json }) => json.signals);
const flagging = (signal: string) => ({ policy: { signals: { [signal]: 'flag' as const } } });

describe('disposable_infrastructure', () => {
  it('marks an unlisted domain whose mail host has the address of listed domains’ mail hosts', async () => {
    const project = await service.makeProject();
    const ask = async (domain: string) => (await project.validate({ email: `jane.doe@${domain}` })).json;
    expect((await ask('unlisted-house.net')).signals).toEqual([]);
    for (const domain of LISTED) expect((await ask(domain)).signals).toContain('disposable_email');
    // What a listed domain’s look-up says is learned after its answer.
    await expect
      .poll(async () => (await ask('unlisted-house.net')).signals)
      .toEqual(['disposable_infrastructure']);
    expect((await ask('unlisted-house.net')).checks.disposable).toMatchObject({
      pass: true,
      metadata: { evidence: { kind: 'mail-address', shared: '81.2.69.200', listed: 3 } },
    });
  });
});

describe('parked_domain and wildcard_mail', () => {
  it('come with the request after the first one, and are flagged only if the policy says so', async () => {
    const project = await service.makeProject(flagging('parked_domain'));
    const ask = async (domain: string) => (await project.validate({ email: `jane.doe@${domain}` })).json;
    for (const domain of ['for-sale-house.net', CATCH_ALL, 'new-shop.net']) {
      expect(await ask(domain), domain).toMatchObject({ recommendation: 'allow', signals: [] });
    }
    await expect.poll(async () => (await ask('for-sale-house.net')).signals).toEqual(['parked_domain']);
    expect(await ask('for-sale-house.net')).toMatchObject({
      recommendation: 'flag',
      checks: { disposable: { pass: true, metadata: { parking: 'sedoparking.com' } } },
    });
    await expect.poll(async () => (await ask(CATCH_ALL)).signals).toEqual(['wildcard_mail']);
    expect(await ask(CATCH_ALL)).toMatchObject({ recommendation: 'allow' });
    expect(await ask('new-shop.net')).toMatchObject({ recommendation: 'allow', signals: [] });
  });
});

describe('unknown_mail_service', () => {
  it('comes with the first request, and is flagged only if the policy says so', async () => {
    const email = 'jane.doe@soliloquymail.net';
    for (const [project, recommendation] of [
      [await service.makeProject(), 'allow'],
      [await service.makeProject(flagging('unknown_mail_service')), 'flag'],
    ] as const) {
      const { json } = await project.validate({ email });
      expect(json).toMatchObject({
        recommendation,
        signals: ['unknown_mail_service'],
        checks: { disposable: { pass: true } },
      });
    }
  });
});

describe('domain_new_here', () => {
  it('comes for an unlisted domain that a project with a history did not see before this week', async () => {
    const counted = async (days: number, domain: string, project: TestProject) =>
      service.admin(async (admin) => {
        const key = await admin.store.keys.find(project.serverKeyId);
        if (key === undefined) throw new Error('The key is gone');
        const caller = { project: await findProject(admin, project.id), key };
        await admin.store.settle(submissionOf(caller, { now: Date.now() - days * DAY, log: { domain } }));
      });
    const [old, young] = [
      await service.makeProject(flagging('domain_new_here')),
      await service.makeProject(),
    ];
    await counted(40, 'four.mail-house.net', old);
    await counted(3, 'new-shop.net', old);
    await counted(20, 'four.mail-house.net', young);
    const ask = async (project: TestProject, domain: string) =>
      (await project.validate({ email: `jane.doe@${domain}` })).json;
    // No answer waits for what the store says.
    expect((await ask(old, 'new-shop.net')).signals).toEqual([]);
    await expect.poll(async () => (await ask(old, 'new-shop.net')).signals).toEqual(['domain_new_here']);
    expect(await ask(old, 'new-shop.net')).toMatchObject({
      recommendation: 'flag',
      checks: { disposable: { pass: true } },
    });
    expect((await ask(old, 'three.mail-house.net')).signals).toEqual([]);
    expect((await ask(old, 'gmail.com')).signals).toEqual([]);
    await ask(young, 'new-shop.net');
    expect((await ask(young, 'new-shop.net')).signals).toEqual([]);
  });
});

describe('subdomain_churn', () => {
  it('appears with the third new name under a domain, fails no check, and has the number', async () => {
    const project = await service.makeProject();
    const answers = await signUps(project, 3, (index) => ({ email: `jane.doe@${NAMES[index]}` }));
    expect(answers.map(({ json }) => json.signals)).toEqual([[], [], ['subdomain_churn']]);
    expect(answers[2]?.json).toMatchObject({
      recommendation: 'allow',
      checks: { disposable: { pass: true, metadata: { newNames: 3 } } },
    });
  });

  it('is flagged if the policy says so', async () => {
    const project = await service.makeProject(flagging('subdomain_churn'));
    const answers = await signUps(project, 3, (index) => ({ email: `jane.doe@${NAMES[index]}` }));
    expect(answers.map(({ json }) => json.recommendation)).toEqual(['allow', 'allow', 'flag']);
    expect(answers[2]?.json.message).toEqual(expect.any(String));
  });

  it('blocked requests and test keys do not count', async () => {
    const project = await service.makeProject();
    const { secret } = await service.admin((admin) =>
      createKey(admin, { projectId: project.id, type: 'server', mode: 'test' }),
    );
    for (const name of NAMES) {
      const blocked = await project.validate({
        email: `admin@${name}`,
        validations: { roleEmail: 'block', disposable: 'block' },
      });
      expect(blocked.json).toMatchObject({ recommendation: 'block', signals: ['role_email'] });
      const asTest = { authorization: `Bearer ${secret}` };
      expect((await project.validate({ email: `jane.doe@${name}` }, asTest)).json.signals).toEqual([]);
    }
  });
});

describe('network_burst', () => {
  it('appears after twenty new inboxes from one network, and is flagged if the policy says so', async () => {
    const project = await service.makeProject(flagging('network_burst'));
    const answers = await signUps(project, 22, (index) => ({ email: person(index), ip: OFFICE }));
    expect(signalsOf(answers.slice(0, 20))).toEqual([]);
    expect(answers[20]?.json).toMatchObject({
      recommendation: 'flag',
      signals: ['network_burst'],
      checks: { ip: { pass: true, metadata: { burst: { count: 20, usual: 0.2 } } } },
    });
    const { rows } = await service.admin(({ store }) => store.log.page(project.id, {}, 1, null));
    expect(rows[0]).toMatchObject({ recommendation: 'flag', signals: ['network_burst'] });
    expect(signalsOf([await project.validate({ email: person(300), ip: home(1) })])).toEqual([]);
  });

  it('does not appear for one person who asks repeatedly, nor behind a proxy without client addresses', async () => {
    const project = await service.makeProject();
    const again = await signUps(project, 40, () => ({ email: person(0), ip: OFFICE }));
    const hidden = await signUps(project, 40, (index) => ({ email: person(index), ip: '10.0.0.1' }));
    expect(signalsOf([...again, ...hidden])).toEqual([]);
  });
});

describe('pattern_burst', () => {
  it('appears after twenty new inboxes of one shape at one domain, and is flagged if the policy says so', async () => {
    const project = await service.makeProject(flagging('pattern_burst'));
    const answers = await signUps(project, 21, (index) => ({
      email: `${LETTERS.charAt(index)}winner${100 + index}@new-shop.net`,
      ip: home(index),
    }));
    expect(signalsOf(answers.slice(0, 20))).toEqual([]);
    expect(answers[20]?.json).toMatchObject({
      recommendation: 'flag',
      signals: ['pattern_burst'],
      checks: { disposable: { pass: true, metadata: { pattern: { shape: 'a999', count: 20, usual: 4 } } } },
    });
  });
});

describe('ordinary traffic has none of these signals', () => {
  it('an office of fifteen, and a family at home', async () => {
    const project = await service.makeProject();
    const office = await signUps(project, 15, (index) => ({ email: person(index), ip: OFFICE }));
    const family = await signUps(project, 5, (index) => ({ email: person(100 + index), ip: home(0) }));
    expect(signalsOf([...office, ...family])).toEqual([]);
  });

  it('a conference: hundreds at a mail provider within an hour, named as people name themselves', async () => {
    const project = await service.makeProject();
    const endings = ['', '', '', '84', '7', '1990', '', '123', '', '62'];
    const answers = await signUps(project, 300, (index) => ({
      email: person(index).replace('@', `${endings[index % endings.length]}@`),
      ip: home(index),
    }));
    expect(signalsOf(answers)).toEqual([]);
  });
});
