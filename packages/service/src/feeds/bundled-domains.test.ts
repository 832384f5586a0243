import { beforeAll, describe, expect, it } from 'vitest';
import { type DomainList, loadDomainList } from '../lookup/domain-list.ts';
import { isPublicSuffix } from '../lookup/registrable-domain.ts';
import { compileBundledDomains } from './bundled-domains.ts';
import { CURATION } from './domain-data/curation.ts';

let list: DomainList;
beforeAll(async () => {
  list = loadDomainList(await compileBundledDomains());
});

describe('the bundled domain list', () => {
  it('holds all four packages', () => {
    expect(list.sources.map(({ name }) => name)).toEqual([
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

  it('takes a misspelling for no throwaway', () => {
    for (const domain of CURATION.typos) {
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

  it('judges names under free hosts', () => {
    for (const host of CURATION.freeHosts) {
      expect(list.lookup(`some-name.${host}`), host).toMatchObject({ kind: 'listed' });
    }
  });
});

describe('the hand-written lists', () => {
  it('are in lower case, without a name on two sides', () => {
    const sides = [
      CURATION.allowed,
      CURATION.relays,
      CURATION.typos,
      CURATION.freeHosts,
      CURATION.throwaway,
    ].map((side) => new Set(side));
    const all = sides.flatMap((side) => [...side]);
    expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
    expect(all.filter((name) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name))).toEqual([]);
  });

  it('allow no public suffix: that would let everybody under it through', () => {
    expect(CURATION.allowed.filter(isPublicSuffix)).toEqual([]);
  });

  it('place a mail host on one side only', () => {
    const sides = [CURATION.throwawayMailHosts, CURATION.businessMailHosts, CURATION.sharedMailHosts];
    const all = sides.flatMap((side) => [...new Set(side)]);
    expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
  });
});
