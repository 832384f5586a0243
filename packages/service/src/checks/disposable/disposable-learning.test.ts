import { describe, expect, it } from 'vitest';
import { found, inputFor, list } from '../../../test/support/disposable-fixture.ts';
import type { ZoneFacts, ZoneLookup } from '../../lookup/dns/zone-lookup.ts';
import { createMailInfrastructure } from '../../lookup/mail-infrastructure.ts';
import type { MailRoute } from '../../model/mail-route.ts';
import type { Finding } from '../check.ts';
import { createDisposableCheck } from './disposable-check.ts';

describe('learning from look-ups', () => {
  const learning = () => {
    const infrastructure = createMailInfrastructure();
    const learner = createDisposableCheck({ domainList: () => list, infrastructure });
    return (email: string, route: MailRoute) => learner.inspect(inputFor(email, { route })) as Finding;
  };

  it('signals an unlisted domain on the mail host of listed ones without failing it', () => {
    const ask = learning();
    const route = found('mx.hidden.example');
    for (const name of ['w1', 'w2', 'sure']) {
      expect(ask(`x@${name}.example`, route).result).toBe('failed');
    }
    expect(ask('x@fresh-domain.example', route)).toEqual({
      result: 'passed',
      signals: ['disposable_infrastructure'],
      metadata: {
        source: 'infrastructure',
        matched: 'mx.hidden.example',
        confidence: 'low',
        evidence: { kind: 'mail-host', shared: 'mx.hidden.example', listed: 3, unlisted: 0, suspects: 0 },
        dataVersion: list.version,
      },
    });
  });

  /** A hundred subdomains of one domain would count as one owner. These have a dozen owners. */
  const listedOwners = Array.from({ length: 12 }, (_, index) => `tempmail-${index}.example`);

  const learningZones = (zone: ZoneLookup) => {
    const learner = createDisposableCheck({
      domainList: () => list,
      infrastructure: createMailInfrastructure(),
      zone,
    });
    return (email: string, route: MailRoute) => learner.inspect(inputFor(email, { route })) as Finding;
  };
  const learningNames = (...names: string[]) => {
    const zone = zoneOf(...names);
    return learningZones(() => zone);
  };
  const zoneOf = (...nameServers: string[]): ZoneFacts => ({ nameServers, wildcardMail: false });
  const ownHost = (domain: string) => found(`mx.${domain}`);

  it('signals an unlisted domain that shares name servers with listed ones', () => {
    const ask = learningNames('ns1.hidden.example', 'ns2.hidden.example');
    for (const domain of listedOwners) expect(ask(`x@${domain}`, ownHost(domain)).result).toBe('failed');
    expect(ask('x@fresh-domain.example', ownHost('fresh-domain.example'))).toMatchObject({
      result: 'passed',
      signals: ['disposable_infrastructure'],
      metadata: { matched: 'hidden.example', evidence: { kind: 'name-server', listed: 12 } },
    });
  });

  it('never delays an answer for name servers, and uses them once they are known', async () => {
    let answer: (zone: ZoneFacts) => void = () => {};
    const pending = new Promise<ZoneFacts>((resolve) => {
      answer = resolve;
    });
    const servers = zoneOf('ns1.hidden.example');
    const ask = learningZones((domain) => (domain === 'late.example' ? pending : servers));
    for (const domain of listedOwners.slice(1)) ask(`x@${domain}`, ownHost(domain));
    const [first = ''] = listedOwners;
    const late = createDisposableCheck({ domainList: () => list, zone: () => pending });
    expect(late.inspect(inputFor(`x@${first}`, { route: ownHost(first) }))).not.toBeInstanceOf(Promise);
    expect(ask('x@late.example', ownHost('late.example')).signals).toBeUndefined();
    ask(`x@${first}`, ownHost(first));
    answer(servers);
    await pending;
    expect(ask('x@other.example', ownHost('other.example')).signals).toEqual(['disposable_infrastructure']);
  });

  it('learns nothing from public name servers or from domains with business mail', () => {
    for (const server of ['ns1.names-for-all.example', 'ns1.provider.example']) {
      const ask = learningNames(server);
      for (const domain of listedOwners) ask(`x@${domain}`, ownHost(domain));
      expect(ask('x@fresh-domain.example', ownHost('fresh-domain.example')).signals).toBeUndefined();
    }
    const ask = learningNames('ns1.hidden.example');
    for (const domain of listedOwners) ask(`x@${domain}`, ownHost(domain));
    expect(ask('x@firm.example', found('mx.offices.example')).signals).toBeUndefined();
  });

  it('learns nothing from shared and business hosts', () => {
    const ask = learning();
    for (const host of ['mx.forwarder.example', 'mx.offices.example', 'mx.provider.example']) {
      for (const name of ['w1', 'w2', 'w3', 'sure', 'weak']) {
        ask(`x@${name}.example`, found(host));
      }
      expect(ask('x@fresh-domain.example', found(host)).signals).toBeUndefined();
    }
  });

  it('signals an unlisted domain whose zone names the administrator of listed ones, unless it is a provider', () => {
    const withContact = (contactDomain: string) => {
      const zone: ZoneFacts = { nameServers: [], contactDomain, wildcardMail: false };
      const ask = learningZones(() => zone);
      for (const domain of listedOwners) ask(`x@${domain}`, ownHost(domain));
      return ask('x@fresh-domain.example', ownHost('fresh-domain.example'));
    };
    expect(withContact('hidden.example').metadata).toMatchObject({
      matched: 'hidden.example',
      evidence: { kind: 'zone-contact', listed: 12 },
    });
    expect(withContact('provider.example').signals).toBeUndefined();
    expect(withContact('names-for-all.example').signals).toBeUndefined();
  });

  it('signals an unlisted domain whose zone has the timers of many listed ones, unless a DNS provider chose them', () => {
    const withServer = (server: string) => {
      const ask = learningZones((domain) => ({
        nameServers: [server.replace('own', domain)],
        template: '1000 100 10000 10 ttl 7',
        wildcardMail: false,
      }));
      for (let index = 0; index < 40; index += 1) {
        const domain = `tempmail-${index}.example`;
        ask(`x@${domain}`, ownHost(domain));
      }
      return ask('x@fresh-domain.example', ownHost('fresh-domain.example'));
    };
    expect(withServer('ns1.own').metadata).toMatchObject({
      matched: '1000 100 10000 10 ttl 7',
      evidence: { kind: 'zone-template', listed: 40 },
    });
    expect(withServer('ns1.names-for-all.example').signals).toBeUndefined();
  });

  it('signals parked domains, by the mail host or by all name servers, and wildcard mail', () => {
    const ask = learningZones((domain) =>
      domain.startsWith('parked')
        ? zoneOf('ns1.sedoparking.com', 'ns2.sedoparking.com')
        : {
            nameServers: ['ns1.sedoparking.com', 'ns1.own.example'],
            wildcardMail: domain === 'open.example',
          },
    );
    const asked = (domain: string, host = `mx.${domain}`) => ask(`jane@${domain}`, found(host));
    expect(asked('parked.example')).toMatchObject({
      result: 'passed',
      signals: ['parked_domain'],
      metadata: { source: 'none', parking: 'sedoparking.com' },
    });
    expect(asked('own.example').signals).toBeUndefined();
    expect(asked('own.example', 'park-mx.above.com').metadata).toMatchObject({ parking: 'above.com' });
    expect(asked('open.example').signals).toEqual(['wildcard_mail']);
    // A listed domain needs no hint, and a provider has its reasons.
    expect(asked('parked.provider.example').signals).toBeUndefined();
    expect(asked('sure.example', 'park-mx.above.com').signals).toEqual(['disposable_email']);
  });
});
