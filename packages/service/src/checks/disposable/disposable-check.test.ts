import { describe, expect, it } from 'vitest';
import { inputFor as inputOfEmail } from '../../../test/support/check-input.ts';
import { compileDomains } from '../../feeds/compile-domains.ts';
import { loadDomainList } from '../../lookup/domain-list.ts';
import { createMailInfrastructure } from '../../lookup/mail-infrastructure.ts';
import type { MailRoute } from '../../model/mail-route.ts';
import type { ListEntry } from '../../model/project.ts';
import type { CheckInput, Finding } from '../check.ts';
import { createDisposableCheck } from './disposable-check.ts';

const NOW = Date.UTC(2026, 10, 15);

const list = loadDomainList(
  compileDomains(
    [
      { name: 'one', tier: 'curated', date: '2026-09-01', domains: ['sure.example', 'operator.example'] },
      {
        name: 'two',
        tier: 'aggregator',
        date: '2026-06-01',
        domains: ['weak.example', 'sure.example', 'college.edu', 'w1.example', 'w2.example', 'w3.example'],
      },
    ],
    {
      allowed: ['provider.example'],
      relays: ['relay.example'],
      typos: ['gmial.example'],
      freeHosts: ['free.example'],
      throwaway: [],
      throwawayMailHosts: ['burner.example', '192.0.2.66'],
      businessMailHosts: ['offices.example'],
      sharedMailHosts: ['forwarder.example', 'shared.operator.example'],
      sharedNameServers: ['names-for-all.example'],
    },
  ),
);

const found = (...exchanges: string[]): MailRoute => ({
  status: 'found',
  implicit: false,
  hosts: exchanges.map((exchange) => ({ exchange, priority: 10, addresses: [] })),
});
const UNKNOWN: MailRoute = { status: 'unknown', reason: 'timeout' };

interface Given {
  readonly route?: MailRoute | Promise<MailRoute>;
  readonly allowList?: readonly ListEntry[];
  readonly blockList?: readonly ListEntry[];
}

function inputFor(
  email: string,
  { route = UNKNOWN, allowList = [], blockList = [] }: Given = {},
): CheckInput {
  return inputOfEmail(email, { allowList, blockList, mailRoute: () => route, now: NOW });
}

const check = createDisposableCheck({ domainList: () => list });
const inspect = (email: string, given?: Given) => check.inspect(inputFor(email, given)) as Finding;

describe('the disposable check', () => {
  it('fails a domain that a curated source lists, and gives the details', () => {
    expect(inspect('a@x.sure.example')).toEqual({
      outcome: 'failed',
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
    expect(inspect('a@sure.example', { route: never }).outcome).toBe('failed');
    expect(inspect('a@provider.example', { route: never }).outcome).toBe('passed');
    expect(inspect('a@relay.example', { route: never }).outcome).toBe('passed');
  });

  it('answers synchronously if the route is known, and later if it is not', async () => {
    const route = found('mx.burner.example');
    expect(inspect('a@new.example', { route })).toMatchObject({ outcome: 'failed' });
    const later = check.inspect(inputFor('a@new.example', { route: Promise.resolve(route) }));
    expect(later).toBeInstanceOf(Promise);
    expect(await later).toMatchObject({ outcome: 'failed' });
  });

  it('passes relays, providers, misspellings, address literals and unknown domains', () => {
    expect(inspect('a@relay.example')).toMatchObject({ outcome: 'passed', metadata: { source: 'relay' } });
    expect(inspect('a@provider.example')).toMatchObject({ outcome: 'passed', metadata: { source: 'allow' } });
    for (const email of ['a@gmial.example', 'a@[192.0.2.1]', 'a@other.example']) {
      expect(inspect(email)).toEqual({
        outcome: 'passed',
        metadata: { source: 'none', dataVersion: list.version },
      });
    }
  });

  it('judges by the lists alone when DNS cannot tell', () => {
    expect(inspect('a@weak.example')).toMatchObject({
      outcome: 'failed',
      metadata: { confidence: 'medium', agree: { count: 1, of: 2 } },
    });
    expect(inspect('a@abc.free.example')).toMatchObject({
      outcome: 'failed',
      metadata: { matched: 'abc.free.example' },
    });
    expect(inspect('a@college.edu')).toMatchObject({ outcome: 'passed', signals: ['listing_suspect'] });
  });

  it('overrides a weak listing when a business mail provider hosts the domain', () => {
    expect(inspect('a@weak.example', { route: found('mx.offices.example') })).toMatchObject({
      outcome: 'passed',
      signals: ['listing_suspect'],
      metadata: { matched: 'weak.example', confidence: 'low', agree: { count: 1, of: 2 } },
    });
    expect(inspect('a@sure.example', { route: found('mx.offices.example') }).outcome).toBe('failed');
    expect(inspect('a@weak.example', { route: found('mx.forwarder.example') }).outcome).toBe('failed');
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
        outcome: 'failed',
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
    const check = createDisposableCheck({ domainList: () => agreed });
    const input = inputFor('a@twice.example', { route: found('mx.offices.example') });
    expect(check.inspect(input)).toMatchObject({ outcome: 'failed', signals: ['disposable_email'] });
  });

  it('fails a domain whose mail host belongs to a throwaway operator, by the hand-written list or by a listing', () => {
    expect(inspect('a@new.example', { route: found('mx1.burner.example') })).toMatchObject({
      outcome: 'failed',
      signals: ['disposable_mx'],
      metadata: { source: 'mx', matched: 'burner.example' },
    });
    expect(inspect('a@new.example', { route: found('mail.operator.example') })).toMatchObject({
      outcome: 'failed',
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
      outcome: 'failed',
      signals: ['disposable_mx'],
      metadata: { source: 'mx', matched: '192.0.2.66' },
    });
    expect(inspect('a@new.example', { route: at('mx.offices.example') }).outcome).toBe('passed');
  });

  it('exempts hosts that serve ordinary mail, and weakly listed ones', () => {
    for (const host of [
      'shared.operator.example',
      'mx.weak.example',
      'mx.abc.free.example',
      'other.example',
    ]) {
      expect(inspect('a@new.example', { route: found(host) }).outcome).toBe('passed');
    }
  });
});

describe('signals that fail nobody', () => {
  it('report a generated local part, but not at a relay', () => {
    expect(inspect('xqzvkjwpt@other.example')).toMatchObject({
      outcome: 'passed',
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
      outcome: 'passed',
      signals: ['new_domain'],
      metadata: { registered: '2026-11-14' },
    });
    expect(ask('jane@old.example').signals).toBeUndefined();
    expect(ask('jane@old.example').metadata?.registered).toBe('2020-01-01');
  });
});

describe('counted signals', () => {
  const pattern = { shape: 'a999', count: 24, usual: 0.5 };
  const activity = { networkBurst: () => undefined, patternBurst: () => pattern, newNames: () => 3 };
  const ask = (email: string) => check.inspect({ ...inputFor(email), activity }) as Finding;

  it('report new names under an unlisted domain and a pattern, with counts, without failing', () => {
    expect(ask('jane123@winter.other.example')).toMatchObject({
      outcome: 'passed',
      signals: ['subdomain_churn', 'pattern_burst'],
      metadata: { source: 'none', newNames: 3, pattern },
    });
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

describe('the project’s own lists', () => {
  it('allow what other lists block: address, domain, parent', () => {
    for (const value of [
      'a@x.sure.example',
      'x.sure.example',
      'sure.example',
      '@sure.example',
      ' *.SURE.example',
    ]) {
      expect(inspect('a@x.sure.example', { allowList: [{ value }] })).toMatchObject({
        outcome: 'passed',
        metadata: { source: 'project-allow' },
      });
    }
    expect(inspect('b@x.sure.example', { allowList: [{ value: 'a@x.sure.example' }] }).outcome).toBe(
      'failed',
    );
  });

  it('block what other lists allow', () => {
    for (const value of ['a@provider.example', 'provider.example']) {
      expect(inspect('a@provider.example', { blockList: [{ value }] })).toMatchObject({
        outcome: 'failed',
        signals: ['disposable_email'],
        metadata: { source: 'project-block' },
      });
    }
    expect(inspect('a@notprovider.example', { blockList: [{ value: 'provider.example' }] }).outcome).toBe(
      'passed',
    );
  });

  it('name the domain that matched, and never a person', () => {
    const matched = (value: string) =>
      inspect('a@x.provider.example', { blockList: [{ value }] }).metadata?.matched;
    expect(matched('provider.example')).toBe('provider.example');
    expect(matched('a@x.provider.example')).toBeUndefined();
  });

  it('prefer the more specific entry, and allow over block if both are equal', () => {
    const judge = (allow: string, block: string) =>
      inspect('a@x.y.example', { allowList: [{ value: allow }], blockList: [{ value: block }] }).outcome;
    expect(judge('x.y.example', 'x.y.example')).toBe('passed');
    expect(judge('y.example', 'x.y.example')).toBe('failed');
    expect(judge('x.y.example', 'y.example')).toBe('passed');
    expect(judge('x.y.example', 'a@x.y.example')).toBe('failed');
    expect(judge('a@x.y.example', 'x.y.example')).toBe('passed');
  });

  it('ignore expired entries', () => {
    expect(inspect('a@x.example', { blockList: [{ value: 'x.example', expiresAt: NOW }] }).outcome).toBe(
      'passed',
    );
    expect(inspect('a@x.example', { blockList: [{ value: 'x.example', expiresAt: NOW + 1 }] }).outcome).toBe(
      'failed',
    );
    const renewed = [{ value: 'x.example', expiresAt: 1 }, { value: 'x.example' }];
    expect(inspect('a@x.example', { blockList: renewed }).outcome).toBe('failed');
  });

  it('accept internationalised domains', () => {
    const blockList = [{ value: 'Bücher.example' }];
    expect(inspect('a@xn--bcher-kva.example', { blockList }).outcome).toBe('failed');
  });
});

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
      expect(ask(`x@${name}.example`, route).outcome).toBe('failed');
    }
    expect(ask('x@fresh-domain.example', route)).toEqual({
      outcome: 'passed',
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

  const learningNames = (names: (domain: string) => readonly string[] | Promise<readonly string[]>) => {
    const learner = createDisposableCheck({
      domainList: () => list,
      infrastructure: createMailInfrastructure(),
      nameServers: names,
    });
    return (email: string, route: MailRoute) => learner.inspect(inputFor(email, { route })) as Finding;
  };
  const ownHost = (domain: string) => found(`mx.${domain}`);

  it('signals an unlisted domain that shares name servers with listed ones', () => {
    const ask = learningNames(() => ['ns1.hidden.example', 'ns2.hidden.example']);
    for (const domain of listedOwners) expect(ask(`x@${domain}`, ownHost(domain)).outcome).toBe('failed');
    expect(ask('x@fresh-domain.example', ownHost('fresh-domain.example'))).toMatchObject({
      outcome: 'passed',
      signals: ['disposable_infrastructure'],
      metadata: { matched: 'hidden.example', evidence: { kind: 'name-server', listed: 12 } },
    });
  });

  it('never delays an answer for name servers, and uses them once they are known', async () => {
    let answer: (names: readonly string[]) => void = () => {};
    const pending = new Promise<readonly string[]>((resolve) => {
      answer = resolve;
    });
    const servers = ['ns1.hidden.example'];
    const ask = learningNames((domain) => (domain === 'late.example' ? pending : servers));
    for (const domain of listedOwners.slice(1)) ask(`x@${domain}`, ownHost(domain));
    const [first = ''] = listedOwners;
    const late = createDisposableCheck({ domainList: () => list, nameServers: () => pending });
    expect(late.inspect(inputFor(`x@${first}`, { route: ownHost(first) }))).not.toBeInstanceOf(Promise);
    expect(ask('x@late.example', ownHost('late.example')).signals).toBeUndefined();
    ask(`x@${first}`, ownHost(first));
    answer(servers);
    await pending;
    expect(ask('x@other.example', ownHost('other.example')).signals).toEqual(['disposable_infrastructure']);
  });

  it('learns nothing from public name servers or from domains with business mail', () => {
    for (const server of ['ns1.names-for-all.example', 'ns1.provider.example']) {
      const ask = learningNames(() => [server]);
      for (const domain of listedOwners) ask(`x@${domain}`, ownHost(domain));
      expect(ask('x@fresh-domain.example', ownHost('fresh-domain.example')).signals).toBeUndefined();
    }
    const ask = learningNames(() => ['ns1.hidden.example']);
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
});
