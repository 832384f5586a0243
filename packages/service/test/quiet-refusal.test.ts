import { LANGUAGES, MESSAGES, NEUTRAL_MESSAGE, type VerdictClaims } from '@postern/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, type TestProject, type TestService } from './support/service.ts';
import { readAs, standIn } from './support/sign-in-servers.ts';

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await startService();
  project = await service.makeProject({
    policy: { refusal: 'quiet', actions: { disposable: 'block', roleEmail: 'flag', mx: 'block' } },
  });
});
afterAll(() => service?.close());

const NEUTRAL = MESSAGES[NEUTRAL_MESSAGE];
const claimsOf = (verdict = ''): VerdictClaims =>
  JSON.parse(Buffer.from(verdict.split('.')[1] ?? '', 'base64url').toString());

it('a page learns that it is refused, and nothing else', async () => {
  const device = { fingerprintHash: 'b'.repeat(64) };
  const about = async (email: string, more: object = {}) => {
    const { json, headers } = await project.validateFromPage({ email, ...device, ...more });
    const { totalLatency, ...metadata } = json.metadata;
    expect(totalLatency).toBeGreaterThanOrEqual(0);
    const claims = claimsOf(headers['x-postern-verdict']);
    return { answer: { ...json, metadata }, said: [claims.recommendation, claims.signals, claims.quiet] };
  };
  const silent = { checks: {}, metadata: { ...device, previousSignups: 0 }, signals: [] };
  const refused = { ...silent, message: NEUTRAL, recommendation: 'block' };
  for (const email of ['jane@mailinator.com', 'jane@no-such-domain.example'])
    expect(await about(email)).toEqual({ answer: refused, said: ['block', [], true] });
  expect(await about('billing@mail-house.net')).toEqual({
    answer: { ...silent, message: NEUTRAL, recommendation: 'flag' },
    said: ['flag', [], true],
  });
  expect(await about('jane.doe@gmail.com')).toEqual({
    answer: { ...silent, message: null, recommendation: 'allow' },
    said: ['allow', [], true],
  });
  const german = await about('jane@mailinator.com', { locale: 'de' });
  expect(german.answer.message).toBe(LANGUAGES.de.messages[NEUTRAL_MESSAGE]);
});

it('the log and the backend know why', async () => {
  await project.validateFromPage({ email: 'jane@mailinator.com' });
  const { rows } = await service.admin(({ store }) => store.log.page(project.id, {}, 1, null));
  expect(rows[0]).toMatchObject({
    recommendation: 'block',
    signals: ['disposable_email', 'domain_not_found'],
    failed: ['disposable', 'mx'],
  });
  const { json, headers } = await project.validate({ email: 'jane@mailinator.com' }, { prefer: 'verdict' });
  expect(json).toMatchObject({
    message: NEUTRAL,
    signals: ['disposable_email', 'domain_not_found'],
    checks: { disposable: { pass: false } },
  });
  const claims = claimsOf(headers['x-postern-verdict']);
  expect([claims.signals, claims.quiet]).toEqual([['disposable_email', 'domain_not_found'], undefined]);
});

it('a sign-in server shows the neutral sentence too', async () => {
  const server = await standIn(service, project.id, 'supabase');
  const answer = await server.signUp({ email: 'jane@mailinator.com' });
  expect(readAs('supabase', answer)).toEqual({ allowed: false, text: NEUTRAL });
});
