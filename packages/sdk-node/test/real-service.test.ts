import { LANGUAGES } from '@postern/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UNKNOWN_SERVER_KEY } from '../../sdk/test/support/stub-service.ts';
import {
  createKey,
  startService,
  type TestProject,
  type TestService,
} from '../../service/test/support/service.ts';
import { createPosternServerClient, isPosternError } from '../src/index.ts';

let service: TestService;
let project: TestProject;

beforeAll(async () => {
  service = await startService();
  project = await service.makeProject();
});
afterAll(() => service.close());

const postern = (options = {}) =>
  createPosternServerClient({
    baseUrl: service.url,
    projectId: project.id,
    apiKey: project.serverKey,
    timeoutMs: 60_000,
    ...options,
  });

describe('a backend with a server key', () => {
  it('is not mistaken for a browser, and its verdict is valid', async () => {
    const { validate, verifyVerdict } = postern();
    const validation = await validate('jane.doe@gmail.com');
    expect(validation).toMatchObject({ recommendation: 'allow', source: 'service' });
    const result = await verifyVerdict(validation.verdict, { email: 'Jane.Doe@gmail.com' });
    expect(result).toMatchObject({ ok: true, claims: { aud: project.id, requestId: validation.requestId } });
  });

  it.each([
    ' Jane.Doe@GMAIL.com ',
    'jos\u0065\u0301@gmail.com',
    'jane@B\u00dcCHER.example',
    'jane@bu\u0308cher.example',
    'jane@xn--bcher-kva.example',
    'jane@\u4f8b\u3048\u3002\u30c6\u30b9\u30c8',
    '\u0130stanbul@gmail.com',
    '"jane doe"@gmail.com',
    'jane@[192.0.2.1]',
    'jane@[IPv6:2001:DB8::1]',
    'jane@1.2',
  ])('hashes %s like the service', async (email) => {
    const { validate, verifyVerdict } = postern();
    const { verdict } = await validate(email);
    expect(await verifyVerdict(verdict, { email })).toMatchObject({ ok: true });
  });

  it('refuses a sign-up without a fingerprint if the policy blocks on the device', async () => {
    const strict = await service.makeProject({ policy: { actions: { device: 'block' } } });
    const options = { projectId: strict.id, apiKey: strict.serverKey };
    const email = 'jane.doe@gmail.com';
    const page = await strict.validateFromPage({ email });
    const verdict = page.headers['x-postern-verdict'];
    for (const signUp of [{ email, verdict }, { email }]) {
      expect(await postern(options).evaluateSignUp(signUp)).toMatchObject({
        accepted: false,
        reason: 'untrusted',
        verdictRefusal: 'weakened',
      });
    }
    const withDevice = { email, fingerprintHash: 'a-device' };
    expect(await postern(options).evaluateSignUp(withDevice)).toMatchObject({ accepted: true });
    const lenient = postern({ ...options, allowWeakened: true });
    expect(await lenient.evaluateSignUp({ email })).toMatchObject({ accepted: true });
  });

  it('knows a misspelled check', () => {
    expect(() => postern({ requireChecks: ['devise'] })).toThrow(/does not know the check “devise”/);
  });

  it('tells a refused person why in the language that the site or the browser asks for', async () => {
    const { evaluateSignUp, validate } = postern();
    const { verdict } = await validate('x@mailinator.com');
    const request = { headers: { 'accept-language': 'xx, de-AT;q=0.8' } };
    const german = LANGUAGES.de;
    const refused = async (signUp: object, locale?: string) => {
      const result = await evaluateSignUp(
        { email: 'x@mailinator.com', request, ...signUp },
        locale === undefined ? {} : { locale },
      );
      return result.accepted ? null : { message: result.message, language: result.language };
    };
    const disposable = { message: german.messages.disposable, language: 'de' };
    expect(await refused({})).toEqual({ message: LANGUAGES.en.messages.disposable, language: 'en' });
    expect(await refused({}, 'request')).toEqual(disposable);
    expect(await refused({ verdict }, 'de')).toEqual(disposable);
    // Used before, so that nothing can be proved with it again.
    expect(await refused({ verdict }, 'de')).toEqual({ message: german.again, language: 'de' });
    expect(await refused({ email: 'jane' }, 'de')).toMatchObject({ message: german.form.malformed });
  });

  it('sends the caller’s address and browser along', async () => {
    const request = {
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/130.0' },
      socket: { remoteAddress: '203.0.113.9' },
    };
    const { checks } = await postern().validate('jane.doe@gmail.com', { request, fingerprintHash: 'abc' });
    expect(checks.ip?.metadata?.address).toBe('203.0.113.9');
    expect(checks.device?.metadata?.automated).toBe(true);
  });

  it('decides about a sign-up without a verdict by asking the service', async () => {
    const { evaluateSignUp } = postern();
    expect(await evaluateSignUp({ email: 'x@mailinator.com' })).toMatchObject({
      accepted: false,
      reason: 'blocked',
      message: 'Please use a permanent email address.',
    });
    expect(await evaluateSignUp({ email: 'no address' })).toMatchObject({ reason: 'malformed' });
    expect(await evaluateSignUp({ email: 'jane.doe@gmail.com' })).toMatchObject({ source: 'service' });
  });

  it('names the validation that let a person in, with and without a verdict', async () => {
    const { validate, evaluateSignUp, reportOutcome } = postern();
    const { requestId, verdict } = await validate('jane.doe@gmail.com');
    const verified = await evaluateSignUp({ email: 'jane.doe@gmail.com', verdict });
    expect(verified).toMatchObject({ source: 'verdict', requestId });
    const asked = await evaluateSignUp({ email: 'sam.doe@gmail.com' });
    if (!asked.accepted || asked.requestId === null) throw new Error('It has no request ID');
    expect(asked.source).toBe('service');
    const report = await reportOutcome({ requestId: asked.requestId, outcome: 'good' });
    expect(report).toMatchObject({ recorded: 1, unknown: [] });
  });

  it('gets a wrong key as a typed error', async () => {
    const error = await postern({ apiKey: UNKNOWN_SERVER_KEY })
      .validate('jane.doe@gmail.com')
      .catch((caught: unknown) => caught);
    expect(isPosternError(error) && error.label).toBe('UNAUTHORIZED');
  });

  it('refuses a sandbox key’s verdict unless configured otherwise', async () => {
    const secret = await service.admin(async (admin) => {
      return (await createKey(admin, { projectId: project.id, type: 'server', mode: 'test' })).secret;
    });
    const { verdict } = await postern({ apiKey: secret }).validate('jane.doe@gmail.com');
    const email = 'jane.doe@gmail.com';
    expect(await postern().verifyVerdict(verdict, { email })).toEqual({ ok: false, reason: 'test_mode' });
    expect(await postern({ allowTestMode: true }).verifyVerdict(verdict, { email })).toMatchObject({
      ok: true,
    });
  });
});
