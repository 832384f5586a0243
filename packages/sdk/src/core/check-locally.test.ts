import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkLocally } from './check-locally.ts';

describe('the local check', () => {
  it.each([
    'jane@example.com',
    ' jane.doe+tag@sub.example.co.uk ',
    'δοκιμή@παράδειγμα.ελ',
    '"quoted local"@example.com',
    'jane@[192.0.2.1]',
    'jane@localhost',
    "o'brien!#$%&*/=?^_`{|}~-@example.com",
    'jane@例え。テスト',
    'jane@paral·lel.cat',
  ])('leaves %s to the service', (email) => {
    expect(checkLocally(email).wellFormed).toBe(true);
  });

  it.each([
    '',
    'jane',
    '@example.com',
    'jane@',
    'jane@@example.com',
    'jane doe@example.com',
    'jane\u0000@example.com',
    'jane\u0085@example.com',
    'jane@example\u007f.com',
    '.jane@example.com',
    'jane.@example.com',
    'ja..ne@example.com',
    'jane@example..com',
    'jane@-example.com',
    'jane@exa_mple.com',
    'jane@exam ple.com',
    'jane<jane@example.com>',
    `${'x'.repeat(65)}@example.com`,
    `x@${'y'.repeat(250)}.com`,
  ])('refuses %j without the network', (email) => {
    expect(checkLocally(email)).toEqual({ wellFormed: false, suggestion: null });
  });

  it.each(['jane@gmial.com', 'j.a.n.e@gmail.con', 'jane+newsletter@gmail'])(
    'suggests no name for %s that Gmail does not issue',
    (email) => {
      expect(checkLocally(email)).toEqual({ wellFormed: true, suggestion: null });
    },
  );

  it.each([
    ['janedoe@gmial.com', 'janedoe@gmail.com'],
    ['Janedoe@GMIAL.com', 'Janedoe@gmail.com'],
    ['janedoe@gamil.com', 'janedoe@gmail.com'],
    ['janedoe@gmai.com', 'janedoe@gmail.com'],
    ['janedoe@gmaill.com', 'janedoe@gmail.com'],
    ['janedoe@gnail.com', 'janedoe@gmail.com'],
    ['janedoe@gmail.con', 'janedoe@gmail.com'],
    ['janedoe@gmial.con', 'janedoe@gmail.com'],
    ['janedoe@gmail.co', 'janedoe@gmail.com'],
    ['janedoe@gmail', 'janedoe@gmail.com'],
    ['jane@hotmial.com', 'jane@hotmail.com'],
    ['jane@yaho.com', 'jane@yahoo.com'],
    ['jane@outlok.com', 'jane@outlook.com'],
    ['jane@iclod.com', 'jane@icloud.com'],
    ['jane@yahooo.co.uk', 'jane@yahoo.co.uk'],
    ['jane@example.con', 'jane@example.com'],
  ])('corrects %s to %s', (email, suggestion) => {
    expect(checkLocally(email).suggestion).toBe(suggestion);
  });

  it.each([
    'gmail.com',
    'googlemail.com',
    'mail.com',
    'ymail.com',
    'email.com',
    'fmail.co.uk',
    'gmx.de',
    'gmx.com',
    'aol.com',
    'live.com',
    'me.com',
    'mac.com',
    'msn.com',
    'hotmail.be',
    'hotmail.se',
    'outlook.jp',
    'yahoo.co.jp',
    'yahoo.ca',
    'rocketmail.com',
    'proton.me',
    'pm.me',
    'web.de',
    'mail.ru',
    'gail.com',
    'grail.com',
    'example.co',
    'example.cm',
    'company.om',
  ])('suggests nothing for %s', (domain) => {
    expect(checkLocally(`jane@${domain}`).suggestion).toBeNull();
  });

  it('never suggests an address that it would correct again', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z.@0-9]{1,40}$/), (email) => {
        const { suggestion } = checkLocally(email);
        return suggestion === null || checkLocally(suggestion).suggestion === null;
      }),
    );
  });
});
