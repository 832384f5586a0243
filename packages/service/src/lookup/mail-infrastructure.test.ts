import { describe, expect, it } from 'vitest';
import type { MailRoute } from '../model/mail-route.ts';
import { createMailInfrastructure } from './mail-infrastructure.ts';

const remember = (capacity?: number) => createMailInfrastructure(capacity === undefined ? {} : { capacity });
const to = (exchange: string, ...addresses: string[]): MailRoute => ({
  status: 'found',
  implicit: false,
  hosts: [{ exchange, priority: 10, addresses }],
});
const zone = (...nameServers: string[]) => ({ nameServers });
const NOWHERE: MailRoute = { status: 'no-records' };

describe('infrastructure memory', () => {
  it('needs three listed domains on a mail host, and a majority of listed ones', () => {
    const memory = remember();
    const route = to('mx.hidden.example');
    memory.observe('a.example', route, true);
    memory.observe('b.example', route, true);
    expect(memory.suspect('new.example', route)).toBeUndefined();
    memory.observe('c.example', route, true);
    expect(memory.suspect('new.example', route)).toEqual({
      kind: 'mail-host',
      shared: 'mx.hidden.example',
      listed: 3,
      unlisted: 0,
      suspects: 0,
    });
  });

  it('lets unlisted domains that were seen first clear a host', () => {
    const memory = remember();
    const route = to('mx.hidden.example');
    memory.observe('ordinary.example', route, false);
    for (const domain of ['a.example', 'b.example', 'c.example']) {
      memory.observe(domain, route, true);
    }
    expect(memory.suspect('new.example', route)).toBeUndefined();
    memory.observe('d.example', route, true);
    expect(memory.suspect('new.example', route)).toMatchObject({ listed: 4, unlisted: 1 });
  });

  it('keeps a host suspect through a campaign, and clears a host with many customers', () => {
    const memory = remember();
    const route = to('mx.hidden.example');
    for (const domain of ['a.example', 'b.example', 'c.example']) {
      memory.observe(domain, route, true);
    }
    for (let index = 0; index < 12; index += 1) {
      expect(memory.suspect(`n${index}.example`, route), `${index}`).toMatchObject({ suspects: index });
      memory.observe(`n${index}.example`, route, false);
    }
    memory.observe('n12.example', route, false);
    expect(memory.suspect('n13.example', route)).toBeUndefined();
  });

  it('counts a domain once, however often it is seen, and its subdomains with it', () => {
    const memory = remember();
    const route = to('mx.hidden.example');
    for (const domain of ['a.example', 'a.example', 'x.a.example', 'y.a.example']) {
      memory.observe(domain, route, true);
    }
    expect(memory.suspect('new.example', route)).toBeUndefined();
  });

  it('does not count the domain in question', () => {
    const memory = remember();
    const route = to('mx.hidden.example');
    for (const domain of ['a.example', 'b.example', 'c.example']) {
      memory.observe(domain, route, true);
    }
    expect(memory.suspect('c.example', route)).toBeUndefined();
  });

  it('counts a domain as listed once a list names it', () => {
    const memory = remember();
    const route = to('mx.hidden.example');
    for (const domain of ['a.example', 'b.example', 'c.example']) {
      memory.observe(domain, route, false);
      memory.observe(domain, route, true);
    }
    expect(memory.suspect('new.example', route)).toMatchObject({ listed: 3, unlisted: 0 });
  });

  it('recognises separate host names by their shared address', () => {
    const memory = remember();
    const own = (name: string, address: string) => to(`mx.${name}`, address);
    for (const name of ['a.example', 'b.example']) memory.observe(name, own(name, '198.51.100.7'), true);
    expect(memory.suspect('new.example', own('new.example', '198.51.100.7'))).toBeUndefined();
    memory.observe('c.example', own('c.example', '198.51.100.7'), true);
    expect(memory.suspect('new.example', own('new.example', '198.51.100.7'))).toMatchObject({
      kind: 'mail-address',
      shared: '198.51.100.7',
      listed: 3,
    });
    // Two more who are on no list were there: now it is ordinary hosting.
    expect(memory.suspect('new.example', own('new.example', '198.51.100.8'))).toBeUndefined();
    const hosting = remember();
    for (const name of ['x.example', 'y.example']) hosting.observe(name, own(name, '198.51.100.7'), false);
    for (const name of ['a.example', 'b.example', 'c.example'])
      hosting.observe(name, own(name, '198.51.100.7'), true);
    expect(hosting.suspect('new.example', own('new.example', '198.51.100.7'))).toBeUndefined();
  });

  it('recognises separate host names by their shared network', () => {
    const memory = remember();
    for (let index = 0; index < 8; index += 1) {
      memory.observe(`d${index}.example`, to(`mx.d${index}.example`, `198.51.100.${index}`), true);
    }
    expect(memory.suspect('new.example', to('mx.new.example', '198.51.100.99'))).toEqual({
      kind: 'mail-network',
      shared: '198.51.100.0/24',
      listed: 8,
      unlisted: 0,
      suspects: 0,
    });
    expect(memory.suspect('new.example', to('mx.new.example', '198.51.101.99'))).toBeUndefined();
  });

  it('groups IPv6 networks by their first 48 bits', () => {
    const memory = remember();
    for (let index = 0; index < 8; index += 1) {
      memory.observe(`d${index}.example`, to(`mx.d${index}.example`, `2001:db8:7:${index}::1`), true);
    }
    expect(memory.suspect('new.example', to('mx.new.example', '2001:DB8:7::2'))?.shared).toBe(
      '2001:db8:7::/48',
    );
  });

  it('considers the owner of the name servers if they are known', () => {
    const memory = remember();
    const route = to('mx.own.example');
    for (let index = 0; index < 12; index += 1) {
      const servers = zone(`ns${index % 3}.hidden.example`, 'ns.hidden.example');
      memory.observe(`d${index}.example`, to(`mx.d${index}.example`), true, servers);
    }
    expect(memory.suspect('own.example', route, zone('ns7.hidden.example'))).toMatchObject({
      kind: 'name-server',
      shared: 'hidden.example',
      listed: 12,
    });
    expect(memory.suspect('own.example', route)).toBeUndefined();
    expect(memory.suspect('own.example', route, zone('ns1.other.example'))).toBeUndefined();
  });

  it('never counts a domain’s own name servers as shared', () => {
    const memory = remember();
    memory.observe('own.example', to('mx.own.example'), true, zone('ns1.own.example'));
    expect(memory.size()).toBe(0);
  });

  it('clears name servers as soon as new domains outnumber the listed ones', () => {
    const memory = remember();
    const servers = zone('ns1.hidden.example');
    for (let index = 0; index < 12; index += 1) {
      memory.observe(`d${index}.example`, to(`mx.d${index}.example`), true, servers);
    }
    for (let index = 0; index < 13; index += 1) {
      memory.observe(`n${index}.example`, to(`mx.n${index}.example`), false, servers);
    }
    expect(memory.suspect('own.example', to('mx.own.example'), servers)).toBeUndefined();
  });

  it('stays within its capacity and drops what it saw least recently', () => {
    const memory = remember(10);
    const kept = to('mx.kept.example');
    for (const domain of ['a.example', 'b.example', 'c.example']) {
      memory.observe(domain, kept, true);
    }
    for (let index = 0; index < 1_000; index += 1) {
      memory.observe(`d${index}.example`, to(`mx${index}.other.example`), true);
      memory.observe('a.example', kept, true);
    }
    expect(memory.size()).toBeLessThanOrEqual(10);
    expect(memory.suspect('new.example', kept)).toMatchObject({ listed: 3 });
  });

  it('learns nothing from a domain without mail', () => {
    const memory = remember();
    memory.observe('a.example', NOWHERE, true);
    expect(memory.size()).toBe(0);
    expect(memory.suspect('a.example', NOWHERE)).toBeUndefined();
  });

  it('needs far more listed domains at a network operator, and hardly any other there', () => {
    const memory = createMailInfrastructure({
      networkNumber: (address) => (address.startsWith('192.0.') ? 64_500 : undefined),
    });
    /** Each domain has a host, an address and a network of its own. */
    const at = (index: number) => to(`mx.d${index}.example`, `192.0.${index}.1`);
    for (let index = 0; index < 39; index += 1) memory.observe(`d${index}.example`, at(index), true);
    expect(memory.suspect('new.example', at(200))).toBeUndefined();
    memory.observe('d39.example', at(39), true);
    expect(memory.suspect('new.example', at(200))).toEqual({
      kind: 'mail-operator',
      shared: 'AS64500',
      listed: 40,
      unlisted: 0,
      suspects: 0,
    });
    expect(memory.suspect('new.example', to('mx.new.example', '198.51.100.1'))).toBeUndefined();
    for (let index = 100; index < 111; index += 1) memory.observe(`d${index}.example`, at(index), false);
    expect(memory.suspect('new.example', at(200))).toBeUndefined();
  });
});
