import { describe, expect, it } from 'vitest';
import { check, found, inputFor, inspect, list, NOW } from '../../../test/support/disposable-fixture.ts';
import { compileDomains } from '../../feeds/compile-domains.ts';
import { loadDomainList } from '../../lookup/domain-list.ts';
import type { MailRoute } from '../../model/mail-route.ts';
import type { Finding } from '../check.ts';
import { createDisposableCheck } from './disposable-check.ts';

describe('the disposable check', () => {
  it('fails a domain that a curated source lists, and gives the details', () => {
    expect(inspect('a@x.sure.example')).toEqual({
      result: 'failed',
      error: expect.any(String),
      signals: ['disposable_email'],
      metadata: {
        source: 'list',
        matched: 'sure.example',
        confidence: 'high',
        agree: { count: 2, of: 2 },
        dataVersion: list.version,
      },
    });
  });

  it('does not wait for DNS when the lists are certain', () => {
    const never = new Promise<MailRoute>(() => undefined);
    expect(inspect('a@sure.example', { route: never }).result).toBe('failed');
    expect(inspect('a@provider.example', { route: never }).result).toBe('passed');
    expect(inspect('a@relay.example', { route: never }).result).toBe('passed');
  });

  it('answers synchronously if the route is known, and later if it is not', async () => {
    const route = found('mx.burner.example');
    expect(inspect('a@new.example', { route })).toMatchObject({ result: 'failed' });
    const later = check.inspect(inputFor('a@new.example', { route: Promise.resolve(route) }));
    expect(later).toBeInstanceOf(Promise);
    expect(await later).toMatchObject({ result: 'failed' });
  });

  it('passes relays, providers, misspellings, address literals and unknown domains', () => {
    expect(inspect('a@relay.example')).toMatchObject({ result: 'passed', metadata: { source: 'relay' } });
    expect(inspect('a@provider.example')).toMatchObject({ result: 'passed', metadata: { source: 'allow' } });
    for (const email of ['a@gmial.example', 'a@[192.0.2.1]', 'a@other.example']) {
      expect(inspect(email)).toEqual({
        result: 'passed',
        metadata: { source: 'none', dataVersion: list.version },
      });
    }
  });

  it('judges by the lists alone when DNS cannot tell', () => {
    expect(inspect('a@weak.example')).toMatchObject({
      result: 'failed',
      metadata: { confidence: 'medium', agree: { count: 1, of: 2 } },
    });
    expect(inspect('a@abc.free.example')).toMatchObject({
      result: 'failed',
      metadata: { matched: 'abc.free.example' },
    });
    expect(inspect('a@college.edu')).toMatchObject({ result: 'passed', signals: ['listing_suspect'] });
  });

  it('overrides a weak listing when a business mail provider hosts the domain', () => {
    expect(inspect('a@weak.example', { route: found('mx.offices.example') })).toMatchObject({
      result: 'passed',
      signals: ['listing_suspect'],
      metadata: { matched: 'weak.example', confidence: 'low', agree: { count: 1, of: 2 } },
    });
    expect(inspect('a@sure.example', { route: found('mx.offices.example') }).result).toBe('failed');
    expect(inspect('a@weak.example', { route: found('mx.forwarder.example') }).result).toBe('failed');
  });

  it('ignores a business host that is not the preferred mail host', () => {
    const decoy = (...hosts: [number, string][]): MailRoute => ({
      status: 'found',
      implicit: false,
      hosts: hosts.map(([priority, exchange]) => ({ exchange, priority, addresses: [] })),
    });
    for (const route of [
      decoy([10, 'mx.own.example'], [65_535, 'mx.offices.example']),
      decoy([10, 'mx.own.example'], [10, 'mx.offices.example']),
    ]) {
      expect(inspect('a@weak.example', { route })).toMatchObject({
        result: 'failed',
        signals: ['disposable_email'],
      });
    }
    const backup = decoy([10, 'mx.offices.example'], [20, 'mx.own.example']);
    expect(inspect('a@weak.example', { route: backup }).signals).toEqual(['listing_suspect']);
  });

  it('does not override a listing that several sources agree on', () => {
    const source = (name: string) =>
      ({ name, tier: 'aggregator', date: '2026-06-01', domains: ['twice.example'] }) as const;
    const agreed = loadDomainList(
      compileDomains([source('one'), source('two'), { ...source('three'), domains: [] }], {
        allowed: [],
        relays: [],
        typos: [],
        freeHosts: [],
        throwaway: [],
        throwawayMailHosts: [],
        businessMailHosts: ['offices.example'],
        sharedMailHosts: [],
        sharedNameServers: [],
      }),
    );
    expect(agreed.lookup('twice.example')).toMatchObject({ confidence: 'medium', agree: 2 });
    let current = list;
    const check = createDisposableCheck({ domainList: () => current });
    const input = inputFor('a@twice.example', { route: found('mx.offices.example') });
    expect(check.inspect(input)).toMatchObject({ result: 'passed', metadata: { source: 'none' } });
    // Feeds replace the list.
    current = agreed;
    expect(check.inspect(input)).toMatchObject({ result: 'failed', signals: ['disposable_email'] });
  });

  it('fails a domain whose mail host belongs to a throwaway operator, by the hand-written list or by a listing', () => {
    expect(inspect('a@new.example', { route: found('mx1.burner.example') })).toMatchObject({
      result: 'failed',
      signals: ['disposable_mx'],
      metadata: { source: 'mx', matched: 'burner.example' },
    });
    expect(inspect('a@new.example', { route: found('mail.operator.example') })).toMatchObject({
      result: 'failed',
      signals: ['disposable_mx'],
      metadata: { matched: 'operator.example' },
    });
  });

  it('fails a domain whose mail host has a throwaway operator’s IP address, unless the host serves ordinary mail', () => {
    const at = (exchange: string): MailRoute => ({
      status: 'found',
      implicit: false,
      hosts: [{ exchange, priority: 10, addresses: ['192.0.2.66'] }],
    });
    expect(inspect('a@new.example', { route: at('mx.renamed.example') })).toMatchObject({
      result: 'failed',
      signals: ['disposable_mx'],
      metadata: { source: 'mx', matched: '192.0.2.66' },
    });
    expect(inspect('a@new.example', { route: at('mx.offices.example') }).result).toBe('passed');
  });

  it('exempts hosts that serve ordinary mail, and weakly listed ones', () => {
    for (const host of [
      'shared.operator.example',
      'mx.weak.example',
      'mx.abc.free.example',
      'other.example',
    ]) {
      expect(inspect('a@new.example', { route: found(host) }).result).toBe('passed');
    }
  });
});

describe('signals that fail nobody', () => {
  it('report a generated local part, but not at a relay', () => {
    expect(inspect('xqzvkjwpt@other.example')).toMatchObject({
      result: 'passed',
      signals: ['random_local_part'],
    });
    expect(inspect('xqzvkjwpt@sure.example').signals).toEqual(['disposable_email', 'random_local_part']);
    expect(inspect('xqzvkjwpt@relay.example').signals).toBeUndefined();
  });

  it('report a domain that was registered within 30 days, with the day', () => {
    const dated = createDisposableCheck({
      domainList: () => list,
      registeredOn: (domain) => (domain === 'new.example' ? NOW - 86_400_000 : Date.UTC(2020, 0, 1)),
    });
    const ask = (email: string) => dated.inspect(inputFor(email)) as Finding;
    expect(ask('jane@new.example')).toMatchObject({
      result: 'passed',
      signals: ['new_domain'],
      metadata: { registered: '2026-11-14' },
    });
    expect(ask('jane@old.example').signals).toBeUndefined();
    expect(ask('jane@old.example').metadata?.registered).toBe('2020-01-01');
  });
});

describe('counted signals', () => {
  const pattern = { shape: 'a999', count: 24, usual: 0.5 };
  const activity = {
    networkBurst: () => undefined,
    patternBurst: () => pattern,
    newNames: () => 3,
    badDomain: () => undefined,
    newDomain: () => false,
    mistyped: () => 0,
  };
  const ask = (email: string) => check.inspect({ ...inputFor(email), activity }) as Finding;

  it('report new names under an unlisted domain and a pattern, with counts, without failing', () => {
    expect(ask('jane123@winter.other.example')).toMatchObject({
      result: 'passed',
      signals: ['subdomain_churn', 'pattern_burst'],
      metadata: { source: 'none', newNames: 3, pattern },
    });
  });

  it('report an unlisted domain on a cheap ending and one whose people turned out bad', () => {
    const turnedBad = { bad: 4, people: 5, low: 0.38 };
    const known = { ...activity, badDomain: () => turnedBad, newDomain: () => true };
    const asked = (email: string) => check.inspect({ ...inputFor(email), activity: known }) as Finding;
    expect(asked('jane@bakery.shop')).toMatchObject({
      result: 'passed',
      signals: ['subdomain_churn', 'domain_turned_bad', 'domain_new_here', 'cheap_ending', 'pattern_burst'],
      metadata: { turnedBad },
    });
    for (const signal of ['domain_turned_bad', 'domain_new_here'])
      expect(asked('jane@sure.example').signals).not.toContain(signal);
    expect(asked('jane@bakery.example').signals).not.toContain('cheap_ending');
    expect(asked('jane@soliloquymail.example')).toMatchObject({
      result: 'passed',
      signals: expect.arrayContaining(['unknown_mail_service']),
    });
    for (const email of ['jane@bakery.example', 'jane@mail.provider.example'])
      expect(asked(email).signals ?? [], email).not.toContain('unknown_mail_service');
  });

  it('no churn at listed and well-known domains; nothing at all at relays', () => {
    expect(ask('jane123@x.sure.example').signals).toEqual(['disposable_email', 'pattern_burst']);
    expect(ask('jane123@x.provider.example').signals).toBeUndefined();
    expect(ask('jane123@x.relay.example').signals).toBeUndefined();
  });

  it('no pattern where the domain’s owner gives people their numbers', () => {
    expect(ask('s123@college.edu').signals ?? []).not.toContain('pattern_burst');
    expect(ask('s123@provider.example').signals).toBeUndefined();
  });
});
