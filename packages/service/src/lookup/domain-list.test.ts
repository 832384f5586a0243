import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileDomains, type DomainSource } from '../feeds/compile-domains.ts';
import type { DomainCuration } from '../feeds/domain-curation.ts';
import { loadDomainList } from './domain-list.ts';

const NOTHING: DomainCuration = {
  allowed: [],
  relays: [],
  typos: [],
  freeHosts: [],
  throwaway: [],
  throwawayMailHosts: [],
  businessMailHosts: [],
  sharedMailHosts: [],
  sharedNameServers: [],
};
const curated = (...domains: string[]): DomainSource => ({
  name: 'curated',
  tier: 'curated',
  date: '2026-09-01',
  domains,
});
const aggregator = (...domains: string[]): DomainSource => ({
  name: 'aggregator',
  tier: 'aggregator',
  date: '2026-07-01',
  domains,
});
const load = (sources: DomainSource[], curation: Partial<DomainCuration> = {}) =>
  loadDomainList(compileDomains(sources, { ...NOTHING, ...curation }));

describe('a compiled domain list', () => {
  it('finds a listed domain and its subdomains, and names what matched', () => {
    const list = load([curated('burned.example')]);
    const match = { kind: 'listed', matched: 'burned.example', confidence: 'high', agree: 1 };
    expect(list.lookup('burned.example')).toEqual(match);
    expect(list.lookup('a.b.burned.example')).toEqual(match);
    expect(list.lookup('notburned.example')).toBeUndefined();
    expect(list.lookup('example')).toBeUndefined();
    expect(list.lookup('burned.example.org')).toBeUndefined();
  });

  it('counts the sources that agree', () => {
    const list = load([curated('both.example'), aggregator('both.example', 'one.example')]);
    expect(list.lookup('both.example')).toMatchObject({ confidence: 'high', agree: 2 });
    expect(list.lookup('one.example')).toMatchObject({ confidence: 'medium', agree: 1 });
  });

  it('never lists a public suffix, even if a source names it', () => {
    const list = load([curated('co.uk', 'edu.pl', 'my.id', 'github.io', 'com')]);
    expect(list.lookup('university.edu.pl')).toBeUndefined();
    expect(list.lookup('shop.co.uk')).toBeUndefined();
    expect(list.lookup('jane.github.io')).toBeUndefined();
  });

  it('prefers hand-written lists to every source, for subdomains too', () => {
    const list = load([curated('mail.example', 'jane.mail.example', 'relay.example', 'gmial.example')], {
      allowed: ['mail.example'],
      relays: ['relay.example'],
      typos: ['gmial.example'],
    });
    expect(list.lookup('mail.example')).toEqual({ kind: 'allowed', matched: 'mail.example' });
    expect(list.lookup('jane.mail.example')).toEqual({ kind: 'allowed', matched: 'mail.example' });
    expect(list.lookup('relay.example')).toEqual({ kind: 'relay', matched: 'relay.example' });
    expect(list.lookup('gmial.example')).toEqual({ kind: 'typo', matched: 'gmial.example' });
  });

  it('judges names under a free host, not the host', () => {
    const list = load([], { freeHosts: ['qzz.io'] });
    expect(list.lookup('mail.abc.qzz.io')).toEqual({
      kind: 'listed',
      matched: 'abc.qzz.io',
      confidence: 'medium',
      agree: 0,
      rule: 'free-host',
      host: 'qzz.io',
    });
    expect(list.lookup('qzz.io')).toBeUndefined();
  });

  it('spares a free host that only aggregators list, and not the names under it', () => {
    const list = load([aggregator('qzz.io'), curated('free.example')], {
      freeHosts: ['qzz.io', 'free.example'],
    });
    expect(list.lookup('qzz.io')).toBeUndefined();
    expect(list.lookup('free.example')).toMatchObject({ kind: 'listed', confidence: 'medium' });
    expect(list.lookup('abc.qzz.io')).toMatchObject({ rule: 'free-host', host: 'qzz.io' });
  });

  it('judges a name under a free host even if a listed name is under it', () => {
    const list = load([curated('mail.abc.qzz.io')], { freeHosts: ['qzz.io'] });
    expect(list.lookup('abc.qzz.io')).toMatchObject({ rule: 'free-host', host: 'qzz.io' });
    expect(list.lookup('other.abc.qzz.io')).toMatchObject({ rule: 'sibling', host: 'abc.qzz.io' });
  });

  it('judges an unlisted name by its shape', () => {
    expect(load([]).lookup('a.mytempmail.example')).toEqual({
      kind: 'listed',
      matched: 'a.mytempmail.example',
      confidence: 'medium',
      agree: 0,
      rule: 'service-word',
    });
    expect(load([aggregator('mytempmail.example')]).lookup('mytempmail.example')).toMatchObject({
      confidence: 'high',
    });
  });

  it('treats a domain as a service when ten of its subdomains are listed', () => {
    const names = Array.from({ length: 10 }, (_, index) => `n${index}.parent.example`);
    expect(load([aggregator(...names)]).lookup('new.parent.example')).toMatchObject({
      matched: 'parent.example',
      confidence: 'medium',
      agree: 1,
    });
    expect(load([aggregator(...names.slice(1))]).lookup('new.parent.example')).toBeUndefined();
    expect(
      load([aggregator(...names)], { allowed: ['parent.example'] }).lookup('new.parent.example'),
    ).toMatchObject({ kind: 'allowed' });
  });

  it('does not treat a misspelling of a large provider as disposable, unless a curated source lists it', () => {
    const list = load([aggregator('hotmsil.com', 'sbcglobl.net', 'notmail.com'), curated('hotmaul.com')]);
    expect(list.lookup('hotmsil.com')).toEqual({ kind: 'typo', matched: 'hotmsil.com' });
    expect(list.lookup('sbcglobl.net')).toEqual({ kind: 'typo', matched: 'sbcglobl.net' });
    expect(list.lookup('notmail.com')).toMatchObject({ kind: 'listed' });
    expect(list.lookup('hotmaul.com')).toMatchObject({ kind: 'listed' });
  });

  it('doubts every source that lists names reserved for institutions, and aggregators on suffixes meant for them', () => {
    const list = load([
      aggregator('college.edu', 'faculty.uni.ac.uk', 'szkola.edu.pl'),
      curated('harvard.edu', 'topa.edu.pl'),
    ]);
    for (const domain of ['college.edu', 'faculty.uni.ac.uk', 'szkola.edu.pl', 'harvard.edu']) {
      expect(list.lookup(domain), domain).toMatchObject({ confidence: 'low' });
    }
    expect(list.lookup('topa.edu.pl')).toMatchObject({ confidence: 'high' });
  });

  it('doubts an aggregator that lists a very short name under an old ending', () => {
    const list = load([aggregator('joi.com', 'joi.xyz')]);
    expect(list.lookup('joi.com')).toMatchObject({ confidence: 'low' });
    expect(list.lookup('joi.xyz')).toMatchObject({ confidence: 'medium' });
  });

  it('is never less sure of a name than of its parent', () => {
    const list = load([curated('service.example'), aggregator('a.service.example')]);
    expect(list.lookup('a.service.example')).toMatchObject({
      matched: 'service.example',
      confidence: 'high',
    });
    const allowed = load([curated('service.example')], { relays: ['relay.service.example'] });
    expect(allowed.lookup('relay.service.example')).toMatchObject({ kind: 'relay' });
  });

  it('attributes further subdomains to the same owner once a curated source lists one', () => {
    const list = load([curated('one.owner.com'), aggregator('one.other.com')]);
    expect(list.lookup('two.owner.com')).toEqual({
      kind: 'listed',
      matched: 'two.owner.com',
      confidence: 'medium',
      agree: 0,
      rule: 'sibling',
      host: 'owner.com',
    });
    for (const domain of ['owner.com', 'two.other.com']) expect(list.lookup(domain), domain).toBeUndefined();
    const guarded = load([curated('one.owner.com', 'one.uni.edu.vn')], { allowed: ['owner.com'] });
    expect(guarded.lookup('two.owner.com')).toMatchObject({ kind: 'allowed' });
    expect(guarded.lookup('two.uni.edu.vn')).toBeUndefined();
  });

  it('finds a name on a cheap ending that a curated source lists under another ending', () => {
    const sources = [
      curated('akunlama.com', 'dolby.buzz', 'nova.com', 'x.zovlyx.com'),
      aggregator('weakly.com'),
    ];
    const list = load(sources, { allowed: ['dolby.com'] });
    expect(list.lookup('akunlama.site')).toEqual({
      kind: 'listed',
      matched: 'akunlama.site',
      confidence: 'medium',
      agree: 0,
      rule: 'listed-elsewhere',
    });
    expect(list.lookup('akunlama.my.id')).toMatchObject({ rule: 'listed-elsewhere' });
    // Other endings, a real domain’s name, a short word, a subdomain, and a name on no curated list.
    for (const domain of ['akunlama.net', 'dolby.store', 'nova.store', 'zovlyx.site', 'weakly.site'])
      expect(list.lookup(domain), domain).toBeUndefined();
    expect(list.entries).toBe(load(sources.slice(0, 0), { allowed: ['dolby.com'] }).entries + 6);
  });

  it('prefers an allowed domain to every rule', () => {
    const names = ['q7.owner.com', 'gmail.owner.com', 'abc.owner.xyz', 'tempmail.owner.com'];
    for (const name of names) expect(load([]).lookup(name), name).toMatchObject({ kind: 'listed', agree: 0 });
    const guarded = load([], { allowed: ['owner.com', 'owner.xyz'] });
    for (const name of names) expect(guarded.lookup(name), name).toMatchObject({ kind: 'allowed' });
  });

  it('knows the owner of a mail host or a name server, the most specific entry first', () => {
    const list = load([], {
      throwawayMailHosts: ['burner.example'],
      businessMailHosts: ['offices.example'],
      sharedMailHosts: ['route.offices.example'],
      sharedNameServers: ['names.example'],
    });
    expect(list.isSharedNameServer('ns1.names.example')).toBe(true);
    expect(list.isSharedNameServer('ns1.burner.example')).toBe(false);
    expect(list.mailHost('names.example')).toBeUndefined();
    expect(list.mailHost('mx1.burner.example')).toEqual({ kind: 'throwaway', matched: 'burner.example' });
    expect(list.mailHost('mx.offices.example')).toEqual({ kind: 'business', matched: 'offices.example' });
    expect(list.mailHost('a.route.offices.example')?.kind).toBe('shared');
    expect(list.mailHost('mx.elsewhere.example')).toBeUndefined();
    expect(list.lookup('burner.example')).toBeUndefined();
  });

  it('changes its version only when its content changes', () => {
    const version = load([curated('a.example')]).version;
    expect(load([curated('a.example')]).version).toBe(version);
    expect(load([curated('b.example')]).version).not.toBe(version);
    expect(version).toMatch(/^2026-09-01\.[0-9a-f]{8}$/);
  });

  it('accepts U-labels', () => {
    expect(load([curated('bücher.example')]).lookup('xn--bcher-kva.example')).toBeDefined();
  });

  it('skips lines that are not a domain', () => {
    const list = load([curated('', 'nodot', 'a..example', '-', 'http://x.example/', ' Kept.Example ')]);
    expect(list.entries).toBe(1);
    expect(list.lookup('kept.example')).toBeDefined();
  });

  it('accepts any text without an error', () => {
    const list = load([curated('a.example')], { freeHosts: ['free.example'] });
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.domain(), fc.constantFrom('', '.', '..', 'a.', '.free.example')),
        (text) => {
          list.lookup(text);
          list.mailHost(text);
        },
      ),
    );
  });

  it('finds everything that was added and nothing else', () => {
    const label = fc.string({ unit: fc.constantFrom(...'bcdfghjk'), minLength: 3, maxLength: 9 });
    fc.assert(
      fc.property(fc.uniqueArray(label, { maxLength: 200 }), fc.array(label), (inside, asked) => {
        const list = load([curated(...inside.map((name) => `${name}.example`))]);
        const known = new Set(inside);
        const wrong = [...inside, ...asked].filter(
          (name) => (list.lookup(`${name}.example`) !== undefined) !== known.has(name),
        );
        expect(wrong).toEqual([]);
      }),
      { numRuns: process.env.TEST_SLOW === '1' ? 50 : 10 },
    );
  });
});

describe('loading', () => {
  const bytes = compileDomains([curated('a.example', 'b.example')], NOTHING);

  it('refuses a file with a single damaged byte', () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = bytes.slice();
        damaged[at] = (damaged[at] ?? 0) ^ change;
        expect(() => loadDomainList(damaged)).toThrow(/^domain list: /);
      }),
    );
  });

  it('refuses a file that was cut short, and an empty one', () => {
    for (const length of [0, 3, 23, 24, bytes.length - 1]) {
      expect(() => loadDomainList(bytes.subarray(0, length))).toThrow(/^domain list: /);
    }
  });

  it('reads from any offset of a larger buffer', () => {
    const larger = new Uint8Array(bytes.length + 3);
    larger.set(bytes, 3);
    expect(loadDomainList(larger.subarray(3)).lookup('a.example')).toBeDefined();
  });
});
