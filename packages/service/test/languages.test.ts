import { LANGUAGE_TAGS, LANGUAGES, MESSAGES } from '@postern/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService, updateProject } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';

const body = { email: 'x@mailinator.com' };

describe('the language of message', () => {
  let service: TestService;
  let project: Awaited<ReturnType<TestService['makeProject']>>;
  beforeAll(async () => {
    service = await startService();
    project = await service.makeProject();
  });
  afterAll(() => service?.close());

  it('is English for a caller who asks for nothing', async () => {
    for (const answer of [await project.validate(body), await project.validateFromPage(body)]) {
      expect(answer.json.message).toBe(MESSAGES.disposable);
      expect(answer.headers['content-language']).toBe('en');
    }
  });

  it.each(LANGUAGE_TAGS)('is %s when the locale is', async (tag) => {
    const { json, headers } = await project.validate({ ...body, locale: tag });
    expect(json.message).toBe(LANGUAGES[tag].messages.disposable);
    expect(headers['content-language']).toBe(tag);
  });

  it('follows Accept-Language with a client key, and ignores it with a server key', async () => {
    const headers = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' };
    const page = await project.validateFromPage(body, headers);
    expect(page.json.message).toBe(LANGUAGES.de.messages.disposable);
    expect(page.headers.vary).toBe('Origin, Accept-Language');
    expect((await project.validate(body, headers)).json.message).toBe(MESSAGES.disposable);
    const located = await project.validateFromPage({ ...body, locale: 'fr' }, headers);
    expect(located.json.message).toBe(LANGUAGES.fr.messages.disposable);
  });

  it('takes a backend’s copy of the person’s Accept-Language, and anything else for English', async () => {
    const messageFor = async (locale: unknown) => (await project.validate({ ...body, locale })).json.message;
    expect(await messageFor('xx, pt-BR;q=0.8, en;q=0.1')).toBe(LANGUAGES['pt-BR'].messages.disposable);
    for (const locale of ['xx', '', null, '*', 'x'.repeat(5_000)])
      expect(await messageFor(locale)).toBe(MESSAGES.disposable);
    const { status, json } = await project.validate({ ...body, locale: 5 });
    expect([status, json.error]).toEqual([400, expect.stringContaining('locale')]);
  });

  it('does not change answers without a message', async () => {
    const { json, headers } = await project.validateFromPage(
      { email: 'jane.doe@gmail.com', validations: { syntax: 'block' } },
      { 'accept-language': 'de' },
    );
    expect([json.message, headers['content-language'], headers.vary]).toEqual([null, undefined, 'Origin']);
  });

  it('stays that of the first answer for a repeat', async () => {
    const key = { 'idempotency-key': 'language' };
    const first = await project.validateFromPage(body, { ...key, 'accept-language': 'ja' });
    const again = await project.validateFromPage(body, { ...key, 'accept-language': 'ko' });
    expect(again.text).toBe(first.text);
    expect(again.headers['content-language']).toBe('ja');
    expect(again.headers.vary).toBe(first.headers.vary);
  });
});

describe.each(USUAL_BACK_ENDS)('a project’s own messages on %s', (backEnd) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startServiceOn(backEnd, {});
  });
  afterAll(() => service?.close());

  it('replace the built-in ones from the next request on, in their language only', async () => {
    const project = await service.makeProject();
    const update = (policy: object) => service.admin((admin) => updateProject(admin, project.id, { policy }));
    const message = async (locale: string) => (await project.validate({ ...body, locale })).json.message;

    await update({ messages: { de: { disposable: 'Bitte eine feste Adresse.' }, en: { mx: 'No mail.' } } });
    expect(await message('de')).toBe('Bitte eine feste Adresse.');
    expect(await message('en')).toBe(MESSAGES.disposable);
    await update({ messages: { en: { disposable: 'Keep it.' } }, messageLanguage: 'en' });
    expect(await message('de')).toBe('Keep it.');
    await update({ messages: { de: { disposable: null } }, messageLanguage: 'request' });
    expect(await message('de')).toBe(LANGUAGES.de.messages.disposable);

    for (const text of ['<b>no</b>', 'x'.repeat(301), 'two\nlines', '   ', 5, '\u202eevil'])
      await expect(update({ messages: { de: { mx: text } } })).rejects.toThrow(/de\.mx must be plain text/);
    await expect(update({ messages: { xx: { mx: 'No.' } } })).rejects.toThrow(/Language/);
    await expect(update({ messages: { de: { spam: 'No.' } } })).rejects.toThrow(/Check/);
    await expect(update({ messages: ['de'] })).rejects.toThrow(/must be an object/);
  });
});
