import { expect, test } from 'vitest';
import { applying } from './support/applying.ts';
import { freshFolder, posternOn } from './support/postern.ts';

test('a webhook’s URL and secret can come from the environment; a new secret rotates the old one', async () => {
  const secret = (letter: string) => `whsec_${Buffer.from(letter.repeat(24)).toString('base64')}`;
  const text = `project: shop\nwebhooks:\n  - { url: "https://shop.example/\${SHOP_WEBHOOK_PATH}", secret: "\${SHOP_WEBHOOK_SECRET}" }\n`;
  const folder = await freshFolder();
  const settings = (letter: string) => ({
    POSTERN_DATA_DIR: folder,
    SHOP_WEBHOOK_PATH: 'hidden1',
    SHOP_WEBHOOK_SECRET: secret(letter),
  });
  const first = await applying(settings('a'), text, '--json');
  expect(first.json).toMatchObject({ issued: [], differences: expect.any(Array) });
  expect(first.out).toContain('webhooks.https://shop.example/…');
  expect(first.out).not.toMatch(/hidden1|whsec_/);
  expect((await applying(settings('a'), text, '--dry-run')).code).toBe(0);
  const planned = await applying(settings('b'), text, '--dry-run');
  expect([planned.code, planned.out]).toEqual([2, expect.not.stringMatching(/hidden1|whsec_/)]);
  await applying(settings('b'), text);
  expect((await applying(settings('b'), text, '--dry-run')).code).toBe(0);
  const postern = posternOn(settings('b'));
  const [webhook] = (await postern('webhook', 'list', '--json')).json;
  expect(webhook).toMatchObject({
    url: 'https://shop.example/hidden1',
    previousSecretUntil: expect.anything(),
  });
  // What a file no longer names is not shown either.
  const pruned = await applying(settings('b'), 'project: shop\n', '--prune');
  expect(pruned.out).toContain(`- shop webhooks.https://shop.example/… (${webhook.id})`);
  expect(pruned.out).not.toContain('hidden1');
});

test('a fault in a URL from the environment does not show it', async () => {
  for (const url of ['ftp://a.example/hidden1', 'https://hidden1:x@a.example/', 'hidden1']) {
    const settings = { POSTERN_DATA_DIR: await freshFolder(), SHOP_WEBHOOK_URL: url };
    const { code, error } = await applying(
      settings,
      'project: shop\nwebhooks: [{ url: "${SHOP_WEBHOOK_URL}" }]\n',
    );
    expect([code, error]).toEqual([
      1,
      expect.stringContaining("'${SHOP_WEBHOOK_URL}' does not become a URL"),
    ]);
    expect(error).not.toContain('hidden1');
  }
});

test('the URL of a chat channel is not exported, and stands for the webhook where it is applied again', async () => {
  const settings = { POSTERN_DATA_DIR: await freshFolder() };
  const postern = posternOn(settings);
  await postern('project', 'create', '--id', 'shop');
  const url = 'https://hooks.slack.com/services/T0/B0/secret';
  await postern('webhook', 'create', '--project', 'shop', '--url', url, '--format', 'slack');
  const exported = (await postern('config', 'export')).out;
  expect(exported).toMatch(/https:\/\/hooks\.slack\.com\/… \(wh_/);
  expect(exported).not.toContain('secret');
  expect((await applying(settings, exported, '--prune', '--dry-run')).code).toBe(0);
  const filtered = exported.replace('format: slack', 'format: slack\n    filter: { signals: [tor_exit] }');
  expect((await applying(settings, filtered)).code).toBe(0);
  expect((await postern('webhook', 'list', '--json')).json).toMatchObject([
    { url, filter: { signals: ['tor_exit'] } },
  ]);
  const elsewhere = await applying({ POSTERN_DATA_DIR: await freshFolder() }, exported);
  expect([elsewhere.code, elsewhere.error]).toEqual([
    1,
    expect.stringContaining('Write its URL, or ${CHAT_WEBHOOK_URL}'),
  ]);
});

test('a webhook’s name is exported, applied and taken away, and each difference is shown', async () => {
  const settings = { POSTERN_DATA_DIR: await freshFolder() };
  const postern = posternOn(settings);
  await postern('project', 'create', '--id', 'shop');
  const url = 'https://shop.example/hooks';
  await postern('webhook', 'create', '--project', 'shop', '--url', url, '--name', 'Fraud desk');
  const names = async () =>
    (await postern('webhook', 'list', '--json')).json.map(({ name }: { name: string | null }) => name);
  expect(await names()).toEqual(['Fraud desk']);
  const exported = (await postern('config', 'export')).out;
  expect(exported).toContain('name: Fraud desk');
  expect((await applying(settings, exported, '--prune', '--dry-run')).code).toBe(0);
  const renamed = exported.replace('Fraud desk', 'Night shift');
  const planned = await applying(settings, renamed, '--dry-run');
  expect(planned.out).toMatch(/"name":"Night shift".*was .*"name":"Fraud desk"/);
  expect((await applying(settings, renamed)).code).toBe(0);
  expect(await names()).toEqual(['Night shift']);
  expect((await applying(settings, exported.replace('name: Fraud desk', 'name: null'))).code).toBe(0);
  expect(await names()).toEqual([null]);
  const long = await applying(settings, exported.replace('Fraud desk', 'x'.repeat(65)));
  expect([long.code, long.error]).toEqual([1, expect.stringContaining('one line with 1 to 64 characters')]);
});
