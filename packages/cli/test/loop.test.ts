import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../service/test/support/service.ts';
import { freshFolder, posternOn } from './support/postern.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

async function freshPostern() {
  const postern = posternOn({ POSTERN_DATA_DIR: await freshFolder() });
  await postern('project', 'create', '--id', 'shop', '--name', 'Shop');
  return postern;
}

test('webhook create prints the secret once, and the other commands work on it', async () => {
  const postern = await freshPostern();
  const made = await postern(
    ...['webhook', 'create', '--project', 'shop', '--url', 'https://hooks.example/x'],
    ...['--event', 'validation.blocked', '--event', 'test.ping', '--json'],
  );
  expect(made.code).toBe(0);
  expect(made.json).toMatchObject({
    url: 'https://hooks.example/x',
    events: ['validation.blocked', 'test.ping'],
    format: 'standard',
  });
  expect(made.json.secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
  const { id } = made.json;
  const listed = await postern('webhook', 'list', '--project', 'shop', '--json');
  expect(listed.json).toMatchObject([{ id, events: ['validation.blocked', 'test.ping'] }]);
  expect(listed.out).not.toContain('whsec_');
  expect((await postern('webhook', 'ping', id, '--json')).json).toMatchObject({ id });
  const { json: deliveries } = await postern('webhook', 'deliveries', id, '--json');
  expect(deliveries).toMatchObject([{ type: 'test.ping', state: 'pending', attempts: 0 }]);
  expect((await postern('webhook', 'resend', deliveries[0].id, '--json')).json.state).toBe('pending');
  expect((await postern('webhook', 'rotate', id, '--json')).json.secret).not.toBe(made.json.secret);
  expect((await postern('webhook', 'delete', id)).code).toBe(0);
  expect((await postern('webhook', 'list', '--json')).json).toEqual([]);
  expect((await postern('webhook', 'ping', id)).code).toBe(1);
});

test('webhook create says what is wrong with a URL, an event or a format', async () => {
  const postern = await freshPostern();
  const create = (...args: string[]) => postern('webhook', 'create', '--project', 'shop', ...args);
  expect((await create('--url', 'nonsense')).error).toMatch(/'nonsense' is not an http or https URL/);
  expect((await create('--url', 'https://x.example', '--event', 'x')).error).toMatch(
    /'x' is not known. Use one of: validation.flagged, /,
  );
  expect((await create('--url', 'https://x.example', '--format', 'x')).error).toMatch(
    /standard, slack, discord/,
  );
  expect((await postern('webhook', 'create', '--project', 'no', '--url', 'https://x.example')).code).toBe(1);
});

test('outcomes import reads a CSV file, and outcomes report counts people', async () => {
  const project = await service.makeProject();
  const postern = posternOn({ POSTERN_DATA_DIR: service.dataDir });
  const { headers } = await project.validate({ email: 'admin@mail-house.net' });
  await project.validate({ email: 'jane.doe@gmail.com' });
  const file = join(await freshFolder(), 'outcomes.csv');
  await writeFile(
    file,
    `requestId,email,outcome,reason,at\n${headers['x-request-id']},,bad,chargeback,2026-01-01\n` +
      ',janedoe+x@googlemail.com,good,"late, but paid",\n,stranger@gmail.com,bad,,\n',
  );
  const imported = await postern('outcomes', 'import', file, '--project', project.id, '--json');
  expect(imported.json).toEqual({ projectId: project.id, recorded: 2, unknown: 1, unknownLines: [4] });
  const { json } = await postern('outcomes', 'report', '--project', project.id, '--days', '30', '--json');
  expect(json).toMatchObject({ people: 2, known: 2, bad: 1, days: 30 });
  const role = json.rows.find(({ name }: { name: string }) => name === 'role_email');
  expect(role).toMatchObject({ kind: 'signal', people: 1, known: 1, bad: 1, share: 1, lift: 2 });
  expect((await postern('outcomes', 'report', '--project', project.id)).out).toMatch(
    /role_email +1 +1 +1 +1 /,
  );

  await writeFile(file, 'email,outcome\njane.doe@gmail.com,fine\n');
  const faulty = await postern('outcomes', 'import', file, '--project', project.id);
  expect([faulty.code, faulty.error]).toEqual([
    2,
    expect.stringMatching(/line 2: outcome must be accepted, good or bad\. Nothing was recorded\./),
  ]);
});

test('outcomes import reads quoted line breaks, and names the lines of errors and of unknown people', async () => {
  const project = await service.makeProject();
  await project.validate({ email: 'jane.doe@gmail.com' });
  const postern = posternOn({ POSTERN_DATA_DIR: service.dataDir });
  const file = join(await freshFolder(), 'outcomes.csv');
  const importText = async (text: string, id = project.id) => {
    await writeFile(file, text);
    return postern('outcomes', 'import', file, '--project', id);
  };
  const strangers = Array.from({ length: 12 }, (_, index) => `x${index}@gmail.com,bad,`).join('\r\n');
  const { out } = await importText(
    `email,outcome,reason\r\njane.doe@gmail.com,bad,"said ""no"",\r\nthen\nleft"\r\n\r\n${strangers}\r\n`,
  );
  expect(out).toBe(
    `Recorded 1 outcomes. 12 do not match any validation of project ${project.id}: ` +
      'lines 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 and 2 more.\n',
  );
  const wrong = await importText(
    'email,outcome,reason\njane.doe@gmail.com,bad,"two\nlines"\na@gmail.com,no,',
  );
  expect([wrong.code, wrong.error]).toEqual([2, expect.stringContaining('line 4: outcome must be')]);
  const open = await importText(
    'email,outcome,reason\na@gmail.com,bad,x\na@gmail.com,bad,"late\nb@gmail.com,bad,\n',
  );
  expect([open.code, open.error]).toEqual([
    2,
    expect.stringContaining('line 3: the quote that begins here is never closed'),
  ]);
  const after = await importText('email,outcome,reason\na@gmail.com,bad,"x\nb@gmail.com,bad,"y"\n');
  expect(after.error).toContain('line 2: the quoted text that begins here is followed by other text');
  const missing = await importText('nonsense', 'nowhere');
  expect([missing.code, missing.error]).toEqual([1, expect.stringContaining('nowhere')]);
});

test('outcomes import records nothing from a file with an invalid address, even near its end', async () => {
  const project = await service.makeProject();
  await project.validate({ email: 'jane.doe@gmail.com' });
  const postern = posternOn({ POSTERN_DATA_DIR: service.dataDir });
  const file = join(await freshFolder(), 'outcomes.csv');
  const rows = Array.from({ length: 600 }, () => 'jane.doe@gmail.com,bad');
  await writeFile(file, ['email,outcome', ...rows, 'nonsense,bad', ''].join('\n'));
  const { code, error } = await postern('outcomes', 'import', file, '--project', project.id);
  expect(code).not.toBe(0);
  expect(error).toContain("line 602: 'nonsense' is not an address. Nothing was recorded.");
  const { json } = await postern('outcomes', 'report', '--project', project.id, '--json');
  expect(json).toMatchObject({ people: 1, known: 0 });
});

test('sdk uses the address that browsers see', async () => {
  const postern = posternOn({ POSTERN_DATA_DIR: await freshFolder() });
  const { code, out, error } = await postern('sdk', '--url', 'https://postern.example');
  expect([code, error]).toEqual([0, '']);
  expect(out).toContain('https://postern.example/sdk/');
});

test('sdk snippet prints the steps for a framework, names the known ones, and puts no server key into a page', async () => {
  const postern = posternOn({ POSTERN_DATA_DIR: await freshFolder() });
  const given = [
    '--url',
    'https://postern.example',
    '--project',
    'shop',
    '--client-key',
    'pst_client_live_1',
  ];
  const next = await postern('sdk', 'snippet', '--framework', 'Next', ...given);
  expect([next.code, next.error]).toEqual([0, '']);
  expect(next.out).toContain('npm install "postern~sdk@https://postern.example/sdk/postern-sdk-');
  expect(next.out).toContain('POSTERN_CLIENT_KEY=pst_client_live_1');
  expect(next.out).toContain('## `app/api/sign-up/route.ts`');
  const wrong = await postern('sdk', 'snippet', '--framework', 'rails');
  expect([wrong.code, wrong.error]).toEqual([1, expect.stringContaining('It knows: html, node, express')]);
  const swapped = await postern('sdk', 'snippet', '--framework', 'vue', '--client-key', 'pst_server_live_1');
  expect([swapped.code, swapped.error]).toEqual([1, expect.stringContaining('is a server key')]);
  expect((await postern('sdk', 'snippet')).out).toContain('sveltekit');
});

test('a hook has an address, a secret that is shown once, and what to paste', async () => {
  const postern = posternOn({
    POSTERN_DATA_DIR: await freshFolder(),
    POSTERN_PUBLIC_URL: 'https://p.example/',
  });
  await postern('project', 'create', '--id', 'shop', '--name', 'Shop');
  const create = ['hook', 'create', '--project', 'shop', '--format', 'supabase'];
  const { json: made } = await postern(...create, '--json');
  expect(made).toMatchObject({ projectId: 'shop', format: 'supabase' });
  expect(made.url).toBe(`https://p.example/v1/hooks/supabase/${made.id}`);
  expect(made.instructions).toContain(made.url);
  const text = (await postern(...create)).out;
  expect(text).toContain('https://p.example/v1/hooks/supabase/');
  expect(text).toMatch(/Shown only once[\s\S]*Supabase/);
  const listed = await postern('hook', 'list', '--json');
  expect(listed.json).toHaveLength(2);
  expect(listed.out).not.toContain(made.secret);
  const { json: rotated } = await postern('hook', 'rotate', made.id, '--json');
  expect(rotated.id).toBe(made.id);
  expect(rotated.secret).not.toBe(made.secret);
  expect((await postern('hook', 'delete', made.id, '--json')).json).toEqual({ id: made.id, deleted: true });
  expect((await postern('hook', 'rotate', made.id)).code).toBe(1);
});

test('claims are listed and released', async () => {
  const project = await service.makeProject();
  const postern = posternOn({ POSTERN_DATA_DIR: service.dataDir });
  const claim = (email: string) =>
    service.ask({
      method: 'POST',
      path: '/v1/claims',
      headers: { authorization: `Bearer ${project.serverKey}`, 'x-project-id': project.id },
      body: JSON.stringify({ claim: 'trial', email }),
    });
  const { json: granted } = await claim('jane.doe@gmail.com');
  await claim('janedoe+again@gmail.com');
  const list = ['claim', 'list', '--project', project.id];
  const { json, error } = await postern(...list, '--json');
  expect(json.rows.map((row: { granted: boolean }) => row.granted)).toEqual([false, true]);
  expect(error).toContain('trial: 1 granted, 1 refused in 30 days');
  expect((await postern(...list)).out).toMatch(/inbox/);
  const released = await postern('claim', 'release', granted.id, '--project', project.id, '--json');
  expect(released.json).toEqual({ id: granted.id, done: true });
  expect((await claim('jane.doe@gmail.com')).json.granted).toBe(true);
});
