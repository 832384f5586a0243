import { beforeAll, describe, expect, it } from 'vitest';
import { type DomainList, loadDomainList } from '../lookup/domain-list.ts';
import { isPublicSuffix } from '../model/registrable-domain.ts';
import { compileBundledDomains, mergeSources } from './bundled-domains.ts';
import { readCuration } from './domain-curation.ts';

const CURATION = readCuration();

let list: DomainList;
beforeAll(async () => {
  list = loadDomainList(await compileBundledDomains());
});

describe('the bundled domain list', () => {
  it('holds every bundled source', () => {
    expect(list.sources.map(({ name }) => name)).toEqual([
      'castle',
      'disposable-email-domains',
      'fakefilter',
      'is-burner-email',
      'emailalias',
    ]);
    expect(list.entries).toBeGreaterThan(170_000);
  });

  it.each(['mailinator.com', 'guerrillamail.com', 'yopmail.com', 'temp-mail.org', 'x.mailinator.com'])(
    'is certain of %s',
    (domain) => {
      expect(list.lookup(domain)).toMatchObject({ kind: 'listed', confidence: 'high' });
    },
  );

  it('lists no relay and no provider', () => {
    for (const domain of CURATION.relays) {
      expect(list.lookup(domain), domain).toMatchObject({ kind: 'relay' });
    }
    for (const domain of CURATION.allowed) {
      expect(list.lookup(domain)?.kind, domain).not.toBe('listed');
    }
  });

  it('does not treat a misspelling as disposable', () => {
    const typed = ['gimal.com', 'hitmail.co', 'sbcglobal.bet', 'yahoo.vo.uk', 'blueynder.co.uk'];
    for (const domain of [...CURATION.typos, ...typed]) {
      expect(list.lookup(domain)?.kind, domain).not.toBe('listed');
    }
  });

  it.each([
    'hush.com',
    'facebookmail.com',
    'craigslist.org',
    'yandex.net',
    'mail2world.com',
    'safe-mail.net',
  ])('keeps %s out, which sources name wrongly', (domain) => {
    expect(list.lookup(domain)).toMatchObject({ kind: 'allowed' });
  });

  it.each(['mx.emltmp.com', 'mail.yopmail.com', 'x.guerrillamail.com'])(
    'is as sure of %s as of its parent, whatever weaker source names it',
    (domain) => {
      expect(list.lookup(domain)).toMatchObject({ kind: 'listed', confidence: 'high' });
    },
  );

  it('recognises the mail hosts of disposable email operators by name and by address', () => {
    for (const host of ['mx.unstablemail.com', 'in.beavis99.net', '78.47.124.133']) {
      expect(list.mailHost(host), host).toMatchObject({ kind: 'throwaway' });
    }
  });

  it.each(['harvard.edu', 'whitehouse.gov', 'ox.ac.uk', 'a.tum.de', 'x1.support.com', 'stripe.com'])(
    'never accuses %s',
    (domain) => {
      expect(list.lookup(domain)?.kind, domain).not.toBe('listed');
    },
  );

  it('lets nothing pass because it is under com.com, where anybody has a name', () => {
    for (const name of ['126.com.com', '163.com.com', 'a41odgz7jh.com.com'])
      expect(list.lookup(name), name).toMatchObject({ kind: 'listed', confidence: 'medium' });
    // Low fails no request.
    expect(list.lookup('gmail.com.com')).toMatchObject({ confidence: 'low' });
  });

  it('judges names under free hosts', () => {
    for (const host of CURATION.freeHosts) {
      expect(list.lookup(`some-name.${host}`), host).toMatchObject({ kind: 'listed' });
    }
  });
});

describe('fresh sources', () => {
  const source = (name: string, domains: string[], history = false) =>
    ({ name, tier: 'curated', date: '2026-11-15', domains, history }) as const;

  it('replace bundled ones, and keep a history', () => {
    const merged = mergeSources(
      [source('castle', ['new.example']), source('list', ['today.example'])],
      [
        source('castle', ['old.example'], true),
        source('list', ['gone.example']),
        source('other', ['a.example']),
      ],
    );
    expect(merged.map(({ name, domains }) => [name, [...domains]])).toEqual([
      ['castle', ['new.example', 'old.example']],
      ['list', ['today.example']],
      ['other', ['a.example']],
    ]);
  });
});

describe('the hand-written lists', () => {
  it('are in lower case, and no name is on two opposite lists', () => {
    const sides = [
      CURATION.allowed,
      CURATION.relays,
      CURATION.typos,
      CURATION.freeHosts,
      CURATION.throwaway,
    ].map((side) => new Set(side));
    const all = sides.flatMap((side) => [...side]);
    const seen = new Set<string>();
    expect(all.filter((name) => seen.size === seen.add(name).size)).toEqual([]);
    expect(all.filter((name) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name))).toEqual([]);
  });

  it('allow no public suffix, which would allow everybody under it', () => {
    expect(CURATION.allowed.filter(isPublicSuffix)).toEqual([]);
  });

  it('put a mail host on one list only', () => {
    const sides = [CURATION.throwawayMailHosts, CURATION.businessMailHosts, CURATION.sharedMailHosts];
    const all = sides.flatMap((side) => [...new Set(side)]);
    expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
  });
});
