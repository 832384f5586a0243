import { expect, test } from 'vitest';
import { freshFolder, posternOn, posternOnFreshStore } from './support/postern.ts';

test('user create creates an account with a password that is shown only once', async () => {
  const postern = await posternOnFreshStore();
  const { code, json } = await postern(
    'user',
    'create',
    '--email',
    'Jane@Example.com',
    '--name',
    'Jane',
    '--json',
  );
  expect(code).toBe(0);
  expect(json).toMatchObject({ email: 'jane@example.com', name: 'Jane', role: 'owner' });
  expect(json.password).toMatch(/^[a-z0-9]{20}$/);
  const again = await postern('user', 'create', '--email', 'jane@example.com');
  expect(again.code).toBe(1);
  expect(again.error).toMatch(/already an account/);
});

test('a password from standard input is used and not printed', async () => {
  const postern = posternOn({ POSTERN_DATA_DIR: await freshFolder() }, { input: 'correct horse battery\n' });
  const { code, out, json } = await postern(
    ...['user', 'create', '--email', 'a@example.com', '--role', 'viewer', '--password-stdin', '--json'],
  );
  expect(code).toBe(0);
  expect(json).toMatchObject({ role: 'viewer' });
  expect(out).not.toContain('correct horse');
});

test.each([
  ['an invalid address', ['--email', 'jane'], /not an email address/],
  ['an unknown role', ['--email', 'a@example.com', '--role', 'king'], /viewer, analyst, admin, owner/],
  ['no address', [], /--email/],
])('%s is a usage error', async (_, args, message) => {
  const postern = await posternOnFreshStore();
  const { code, out, error } = await postern('user', 'create', ...args);
  expect([code, out]).toEqual([2, '']);
  expect(error).toMatch(message);
});

test('user reset-password generates a new password, or reads one from standard input', async () => {
  const settings = { POSTERN_DATA_DIR: await freshFolder() };
  const postern = posternOn(settings, { input: 'correct horse battery\n' });
  await postern('user', 'create', '--email', 'jane@example.com', '--json');
  const { code, json } = await postern('user', 'reset-password', '--email', 'Jane@Example.com', '--json');
  expect(code).toBe(0);
  expect(json).toMatchObject({ email: 'jane@example.com', role: 'owner', tokensRevoked: 0, tokensLeft: 0 });
  expect(json.password).toMatch(/^[a-z0-9]{20}$/);
  const { out } = await postern('user', 'reset-password', '--email', 'jane@example.com', '--password-stdin');
  expect(out).toContain('jane@example.com (owner) has a new password');
  expect(out).not.toMatch(/correct horse|Password:/);
  const unknown = await postern('user', 'reset-password', '--email', 'nobody@example.com');
  expect([unknown.code, unknown.out]).toEqual([1, '']);
  expect(unknown.error).toContain('no account with the address nobody@example.com');
});
