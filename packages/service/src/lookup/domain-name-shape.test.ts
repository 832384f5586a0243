import { describe, expect, it } from 'vitest';
import { namesMailboxes, subdomainShape, throwawayShape } from './domain-name-shape.ts';

describe('the shape of a name', () => {
  it.each([
    ['mytempmail.example', 'service-word'],
    ['temp-email-24.example', 'service-word'],
    ['30minutesmail.com', 'service-word'],
    ['inbox.trash-mail.example', 'service-word'],
    ['mailinator-alternative.example', 'service-word'],
    ['correotemporal.example', 'service-word'],
    ['temp1mail.example', 'service-word'],
    ['tempy.email', 'service-word'],
    ['48hr.email', 'service-word'],
    ['mail10year.example', 'service-word'],
    ['email-once.example', 'service-word'],
    ['dummyinbox.example', 'service-word'],
    ['samsung-gmail.com', 'borrowed-brand'],
    ['gmail-signup.com', 'borrowed-brand'],
    ['gmail10p.com', 'borrowed-brand'],
    ['codesgmail.com', 'borrowed-brand'],
    ['best1gmail.com', 'borrowed-brand'],
    ['getemail.space', 'mail-on-cheap-ending'],
    ['inboxfly.website', 'mail-on-cheap-ending'],
    ['saddlebackmail.ru', 'word-and-mail'],
    ['hiddenpostmail.guru', 'mail-on-odd-ending'],
    ['securemail.edu.pl', 'mail-on-odd-ending'],
    ['729406.xyz', 'generated'],
    ['qwer.729406.xyz', 'generated'],
    ['kxbj.beer', 'generated'],
    ['zmypxprb.sbs', 'generated'],
    ['y4plv.cyou', 'generated'],
    ['eljkblwjys.icu', 'generated'],
    ['b540zoes.buzz', 'generated'],
    ['x8qlo.fun', 'generated'],
    ['freemails.my.id', 'mail-on-cheap-ending'],
    ['a.482910.biz.id', 'generated'],
  ])('%s is a throwaway’s: %s', (domain, shape) => {
    expect(throwawayShape(domain)).toBe(shape);
  });

  it.each([
    // Words inside words.
    'racingmail.com',
    'blogmail.com',
    'kingmail.com',
    'nuremberg-mail.com',
    'bergmail.no',
    'bigmailbox.com',
    'minutemailer.com',
    'emailtemplates.example',
    'mailtempering.example',
    'templatemail.example',
    'contemporary.example',
    'tempora-publishing.example',
    'temporal.example',
    'tempboxing.example',
    'mailoncetold.example',
    'direct-mail.guru',
    '729406.guru',
    'sp12warszawa.edu.pl',
    'mail.ru',
    'hotmail.ru',
    'golden-mail.ru',
    // Misspellings belong to the mx check.
    'gmaill.com',
    'gmaile.com',
    'gmail.co',
    '1gmail.com',
    'gmailcom.net',
    'gmaildrive.com',
    // Real names on cheap endings.
    'abc.xyz',
    'starship.xyz',
    'bakery.store',
    'rhythm.shop',
    'cafe1910.store',
    'web3.tech',
    'garden.beer',
    'budi-santoso.my.id',
    'mail.budi.web.id',
    'my.id',
    'xn--di5au2k.shop',
    'xn--80aesfpebagmfblc0a.fun',
    'xn--1lqs71d.fun',
    // The letters of mail in a name or another word.
    'ismail.online',
    'muhammad-ismail.my.id',
    'maillard.club',
    'mailroom.tech',
    'chainmail.shop',
    // Compound words with many consonants in a row, and meaningful numbers, on the cheapest endings.
    'knightsbridge.homes',
    'catsnthings.fun',
    'birthday.fun',
    'goldschmidt.homes',
    'worldschool.help',
    'club1900.bar',
    'salon212.hair',
    'car4you.autos',
    'b2b.help',
    'web3hub.fun',
    // Numbers and initials elsewhere.
    '163.com',
    '12345.com',
    'ndr.de',
    'bbc.co.uk',
    'mit.edu',
    'mail.example',
  ])('%s is nobody’s fault', (domain) => {
    expect(throwawayShape(domain)).toBeUndefined();
  });

  it('does not backtrack on long names', () => {
    for (const piece of ['e-', 'temp', 'temporar', 'mail-', '1', 'min', 'a.']) {
      throwawayShape(`${piece.repeat(50_000)}.xyz`);
    }
  });
});

describe('a name under somebody’s own domain', () => {
  it.each([
    ['q7.owner.com', 'short-subdomain'],
    ['x.owner.net', 'short-subdomain'],
    ['a.mail.owner.com', 'short-subdomain'],
    ['gmail.owner.cn', 'brand-subdomain'],
    ['grok711.owner.me', 'brand-subdomain'],
    ['c6pk.owner.site', 'cheap-subdomain'],
    ['alcdf.owner.my.id', 'cheap-subdomain'],
  ])('%s is %s', (domain, shape) => {
    expect(subdomainShape(domain)).toBe(shape);
  });

  it.each([
    // The domain itself, and a public suffix’s.
    'owner.com',
    'ab.co.uk',
    'jane.github.io',
    // Countries, languages, departments.
    'us.ibm.com',
    'de.owner.com',
    'en.owner.org',
    'hr.owner.com',
    'hq.owner.com',
    // Under a country’s ending people’s departments are short.
    'x1.owner.de',
    // Institutions.
    'q7.harvard.edu',
    'x.ox.ac.uk',
    'mail.owner.com',
    'www.owner.xyz',
  ])('%s is nobody’s fault', (domain) => {
    expect(subdomainShape(domain)).toBeUndefined();
  });
});

it('finds words for mailboxes in the registered name only', () => {
  for (const domain of ['homogeneitymail.com', 'x.emailplay.org', 'my-inbox.co.kr'])
    expect(namesMailboxes(domain), domain).toBe(true);
  // Subdomains of universities and companies, names of people, printers of mailings.
  for (const domain of [
    'mail.kyutech.jp',
    'inbox.bakery.example',
    'ismailov.com',
    'mail-house.net',
    'bakery.com',
  ])
    expect(namesMailboxes(domain), domain).toBe(false);
});
