import { describe, expect, it } from 'vitest';
import { mailFacts } from './mail-host-facts.ts';
import { type MailHost, type MailRoute, NOT_ASKED } from './mail-route.ts';

const host = (exchange: string, priority = 10, ...addresses: string[]): MailHost => ({
  exchange,
  priority,
  addresses,
});
const route = (...hosts: MailHost[]): MailRoute => ({ status: 'found', hosts, implicit: false });

describe('what stands behind a domain’s mail', () => {
  it.each([
    ['gmail.com', route(host('gmail-smtp-in.l.google.com')), 'provider', 'google.com'],
    ['jane.fastmail.com', NOT_ASKED, 'provider', ''],
    ['privaterelay.appleid.com', NOT_ASKED, 'provider', ''],
    ['crestomail.com', route(host('route1.mx.cloudflare.net')), 'forwarder', 'cloudflare.net'],
    ['crestomail.com', route(host('aspmx.l.google.com')), 'hosted', 'google.com'],
    ['crestomail.com', route(host('crestomail-com.mail.protection.outlook.com')), 'hosted', 'outlook.com'],
    ['crestomail.com', route(host('mx00.ionos.de')), 'webhost', 'ionos.de'],
    ['crestomail.com', NOT_ASKED, 'unknown', ''],
    ['crestomail.com', { status: 'null-mx' } as const, 'unknown', ''],
  ])('%s with %o is %s', (domain, found, kind, expected) => {
    expect(mailFacts(domain, found)).toEqual({ kind, host: expected });
  });

  it('is the address of a host that is called like the domain, and the operator’s name of another one', () => {
    const own = route(host('mx.crestomail.com', 10, '81.2.69.9', '81.2.69.7'));
    expect(mailFacts('crestomail.com', own)).toEqual({
      kind: 'own',
      host: '81.2.69.7',
      address: '81.2.69.7',
    });
    const others = route(host('mx2.small-host.net', 10, '81.2.69.7'));
    expect(mailFacts('crestomail.com', others)).toEqual({
      kind: 'own',
      host: 'small-host.net',
      address: '81.2.69.7',
    });
    const implicit: MailRoute = {
      status: 'found',
      hosts: [host('crestomail.com', 0, '81.2.69.7')],
      implicit: true,
    };
    expect(mailFacts('crestomail.com', implicit).host).toBe('81.2.69.7');
  });

  it('is judged by the preferred hosts, and among those by the cheapest, in whatever order they come', () => {
    const decoy = [host('mail.crestomail.com', 10, '81.2.69.7'), host('aspmx.l.google.com', 20)];
    expect(mailFacts('crestomail.com', route(...decoy)).kind).toBe('own');
    const mixed = [host('aspmx.l.google.com'), host('route1.mx.cloudflare.net'), host('mx.crestomail.com')];
    for (const hosts of [mixed, mixed.toReversed()])
      expect(mailFacts('crestomail.com', route(...hosts))).toEqual({
        kind: 'forwarder',
        host: 'cloudflare.net',
      });
  });
});
