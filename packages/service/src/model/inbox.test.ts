import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EmailAddress } from './email-address.ts';
import { findInbox, type Inbox } from './inbox.ts';
import { MAIL_HOSTINGS, MAIL_PROVIDERS } from './mail-providers.ts';
import type { MailRoute } from './mail-route.ts';
import { RELAYS } from './relays.ts';

function addressOf(text: string): EmailAddress {
  const at = text.lastIndexOf('@');
  const normalized = text.toLowerCase();
  const domain = normalized.slice(at + 1);
  return {
    typed: text,
    normalized,
    local: normalized.slice(0, at),
    asciiDomain: domain,
    unicodeDomain: domain,
    quoted: text.startsWith('"'),
    literal: domain.startsWith('['),
  };
}

const hostedBy = (...exchanges: readonly string[]): MailRoute => ({
  status: 'found',
  implicit: false,
  hosts: exchanges.map((exchange, index) => ({ exchange, priority: 10 * (index + 1), addresses: [] })),
});

/** For addresses whose inbox is known without DNS. */
function offline(text: string): Inbox {
  const inbox = findInbox(addressOf(text), () => {
    throw new Error(`DNS was asked about ${text}`);
  });
  if (inbox instanceof Promise) throw new Error('expected a result, not a promise');
  return inbox;
}

function withRoute(text: string, route: MailRoute): Inbox {
  const inbox = findInbox(addressOf(text), () => route);
  if (inbox instanceof Promise) throw new Error('expected a result, not a promise');
  return inbox;
}

describe('findInbox, by domain and without DNS', () => {
  it.each([
    ['jane@gmail.com', 'jane@gmail.com', 'none'],
    ['jane.doe@gmail.com', 'janedoe@gmail.com', 'dots'],
    ['jane@googlemail.com', 'jane@gmail.com', 'domain'],
    ['j.a.n.e@googlemail.com', 'jane@gmail.com', 'dots'],
    ['jane.doe+news@googlemail.com', 'janedoe@gmail.com', 'tag'],
    ['jane+a+b@gmail.com', 'jane@gmail.com', 'tag'],
    ['+jane@gmail.com', '+jane@gmail.com', 'none'],
    ['jane+x@outlook.com', 'jane@outlook.com', 'tag'],
    ['jane.doe@hotmail.co.uk', 'jane.doe@hotmail.co.uk', 'none'],
    ['jane+x@me.com', 'jane@icloud.com', 'tag'],
    ['jane@mac.com', 'jane@icloud.com', 'domain'],
    ['base-shop@yahoo.com', 'base@yahoo.com', 'tag'],
    ['jane_doe@yahoo.fr', 'jane_doe@yahoo.fr', 'none'],
    ['jane-marie@yahoo.co.jp', 'jane-marie@yahoo.co.jp', 'none'],
    ['jane-marie@outlook.com', 'jane-marie@outlook.com', 'none'],
    ['jane@pm.me', 'jane@proton.me', 'domain'],
    ['jane_doe@protonmail.com', 'janedoe@proton.me', 'dots'],
    ['jane+x@fastmail.fm', 'jane@fastmail.fm', 'tag'],
    ['shop@jane.fastmail.com', 'jane@fastmail.com', 'subdomain'],
    ['jane.doe@ya.ru', 'jane-doe@yandex.ru', 'dots'],
    ['jane-doe@yandex.ru', 'jane-doe@yandex.ru', 'none'],
    ['jane-doe@yandex.kz', 'jane-doe@yandex.ru', 'domain'],
    ['jane+x@mailbox.org', 'jane@mailbox.org', 'tag'],
    ['jane+x@posteo.de', 'jane@posteo.de', 'tag'],
    ['jane+x@tuta.com', 'jane+x@tuta.com', 'none'],
    ['jane@mail.ru', 'jane@mail.ru', 'none'],
    ['"jane.doe"@gmail.com', 'janedoe@gmail.com', 'dots'],
    ['"jane doe"@gmail.com', '"jane doe"@gmail.com', 'none'],
    ['jane+x@[192.0.2.1]', 'jane+x@[192.0.2.1]', 'none'],
  ])('%s reaches %s (%s)', (text, canonical, kind) => {
    expect(offline(text)).toMatchObject({ canonical, kind });
  });

  it('names the provider of the domain', () => {
    expect(offline('jane@rocketmail.com')).toMatchObject({ provider: 'Yahoo Mail' });
    expect(offline('jane@verizon.net')).toMatchObject({ provider: 'AOL' });
  });

  it('treats a tag as a guess where the provider documents none', () => {
    expect(offline('jane+x@gmx.de')).toEqual({
      canonical: 'jane+x@gmx.de',
      family: 'jane@gmx.de',
      kind: 'tag',
      provider: 'GMX',
    });
    expect(offline('jane+x@yahoo.com')).toMatchObject({
      canonical: 'jane+x@yahoo.com',
      family: 'jane@yahoo.com',
      kind: 'tag',
    });
  });

  it('classifies relays separately and names their operator', () => {
    expect(offline('x7@privaterelay.appleid.com')).toEqual({
      canonical: 'x7@privaterelay.appleid.com',
      kind: 'relay',
      provider: 'Apple',
    });
    expect(offline('shop@jane.mozmail.com')).toEqual({
      canonical: 'shop@jane.mozmail.com',
      family: 'jane@mozmail.com',
      kind: 'relay',
      provider: 'Mozilla',
    });
    expect(offline('abc+x@anonaddy.me')).toEqual({
      canonical: 'abc@anonaddy.me',
      kind: 'relay',
      provider: 'addy.io',
    });
    for (const { domains, operator } of RELAYS) {
      for (const domain of domains) {
        expect(offline(`x@${domain}`), domain).toMatchObject({ kind: 'relay', provider: operator });
      }
    }
  });

  it('does not mistake a look-alike domain for the relay or provider', () => {
    expect(offline('x@notduck.com').kind).toBe('none');
    expect(offline('j.d@gmail.co').canonical).toBe('j.d@gmail.co');
  });

  it('does not ask DNS when no mail host could treat the address as a variant', () => {
    expect(offline('jane.doe@example.com')).toEqual({ canonical: 'jane.doe@example.com', kind: 'none' });
    expect(offline('jane-doe@example.co.uk')).toEqual({ canonical: 'jane-doe@example.co.uk', kind: 'none' });
  });
});

describe('findInbox, by mail host', () => {
  it('gives a company on Google Workspace Gmail’s tags and not its dots', () => {
    const route = hostedBy('ASPMX.L.GOOGLE.COM.', 'alt1.aspmx.l.google.com');
    expect(withRoute('jane.doe+x@example.com', route)).toEqual({
      canonical: 'jane.doe@example.com',
      kind: 'tag',
      provider: 'Google Workspace',
    });
  });

  it('recognises every listed host and its subdomains', () => {
    for (const { hosts, name } of MAIL_HOSTINGS) {
      for (const host of hosts) {
        expect(withRoute('jane+x@example.com', hostedBy(host)), host).toMatchObject({ provider: name });
        expect(withRoute('jane+x@example.com', hostedBy(`mx1.${host}`)), host).toMatchObject({
          provider: name,
        });
        expect(withRoute('jane+x@example.com', hostedBy(`not${host}`)).provider, host).toBeUndefined();
      }
    }
  });

  it('uses the host with the best preference', () => {
    const route: MailRoute = {
      status: 'found',
      implicit: false,
      hosts: [
        { exchange: 'backup.example.net', priority: 50, addresses: [] },
        { exchange: 'in1-smtp.messagingengine.com', priority: 10, addresses: [] },
      ],
    };
    expect(withRoute('jane+x@example.com', route)).toMatchObject({ provider: 'Fastmail' });
  });

  it.each([
    hostedBy('mx.example.net'),
    { status: 'unknown', reason: 'timeout' },
    { status: 'no-domain' },
    { status: 'null-mx' },
    { status: 'found', implicit: true, hosts: [] },
  ] as const satisfies readonly MailRoute[])(
    'keeps the typed address as the canonical one when $status tells nothing',
    (route) => {
      expect(withRoute('jane+x@example.com', route)).toEqual({
        canonical: 'jane+x@example.com',
        family: 'jane@example.com',
        kind: 'tag',
      });
    },
  );

  it('only guesses at subdomain addressing on somebody’s own domain', () => {
    expect(withRoute('shop@jane.example.com', hostedBy('in1-smtp.messagingengine.com'))).toEqual({
      canonical: 'shop@jane.example.com',
      family: 'jane@example.com',
      kind: 'none',
      provider: 'Fastmail',
    });
    expect(withRoute('jane@cs.example.edu', hostedBy('mx.example.edu'))).toEqual({
      canonical: 'jane@cs.example.edu',
      kind: 'none',
    });
  });

  it('waits for a route that is not known yet', async () => {
    const inbox = findInbox(addressOf('jane+x@example.com'), async () => hostedBy('mx.zoho.eu'));
    expect(inbox).toBeInstanceOf(Promise);
    expect(await inbox).toMatchObject({ canonical: 'jane@example.com', provider: 'Zoho Mail' });
  });
});

describe('the canonical address', () => {
  const domains = [...MAIL_PROVIDERS, ...RELAYS]
    .flatMap((entry) => entry.domains)
    .concat('jane.fastmail.com', 'example.com');
  const local = fc
    .stringMatching(/^[a-z0-9]([a-z0-9.+_-]{0,12}[a-z0-9])?$/)
    .filter((text) => !text.includes('..'));

  it('is its own canonical address', () => {
    fc.assert(
      fc.property(local, fc.constantFrom(...domains), (name, domain) => {
        const route: MailRoute = { status: 'unknown', reason: 'not-asked' };
        const inbox = withRoute(`${name}@${domain}`, route);
        expect(withRoute(inbox.canonical, route).canonical).toBe(inbox.canonical);
        expect(inbox.canonical).toMatch(/^[^@]+@[^@]+$/);
        expect(inbox.family).not.toBe(inbox.canonical);
      }),
      { numRuns: 2_000 },
    );
  });

  it('lists no domain twice', () => {
    expect(new Set(domains).size).toBe(domains.length);
  });
});
