import { CHECK_METADATA, SIGNALS } from '@postern/contract';
import { describe, expect, it } from 'vitest';
import { inputFor } from '../../../test/support/check-input.ts';
import type { IpRanges, NetworkKind } from '../../lookup/ip-ranges.ts';
import type { NetworkData } from '../../lookup/network-lookup.ts';
import { parseIpAddress } from '../../model/ip-address.ts';
import { type CheckInput, type Finding, hasInput } from '../check.ts';
import { createIpCheck } from './ip-check.ts';

const NOW = Date.UTC(2026, 10, 15);

const rangesOf = (kind: NetworkKind): IpRanges => ({
  version: 'test-1',
  ipv4Ranges: 1,
  ipv6Ranges: 1,
  networks: 1,
  lookup: () => ({ asn: 64500, network: 'Example', country: 'DE', kind }),
});

interface Question {
  readonly ip?: string;
  readonly now?: number;
}

function inputOf({ ip = '8.0.0.1', now = NOW }: Question): CheckInput {
  const unasked = () => {
    throw new Error('the ip check does not need the mail route');
  };
  const facts = { ip: parseIpAddress(ip), now, mailRoute: unasked };
  return inputFor('jane@example.com', facts);
}

async function finding(
  question: Question,
  data: NetworkData = { ranges: () => rangesOf('hosting') },
): Promise<Finding> {
  return createIpCheck(data).inspect(inputOf(question));
}

describe('what the network is', () => {
  it.each([
    ['tor', 'tor_exit'],
    ['vpn', 'vpn_detected'],
    ['proxy', 'proxy_detected'],
    ['hosting', 'hosting_ip'],
  ] as const)('fails a %s address with %s', async (kind, signal) => {
    expect(await finding({}, { ranges: () => rangesOf(kind) })).toMatchObject({
      result: 'failed',
      signals: [signal],
      metadata: {
        address: '8.0.0.1',
        kind,
        asn: 64500,
        network: 'Example',
        country: 'DE',
        dataVersion: 'test-1',
      },
    });
  });

  it.each(['ordinary', 'relay', 'corporate'] as const)('passes a %s address and says so', async (kind) => {
    const found = await finding({}, { ranges: () => rangesOf(kind) });
    expect(found).toMatchObject({ result: 'passed', metadata: { kind } });
    expect(found.signals ?? []).toEqual([]);
  });

  it.each(['10.0.0.1', '127.0.0.1', '::1', 'fd00::1', '203.0.113.9', '::ffff:192.168.0.1'])(
    'passes %s as private',
    async (ip) => {
      expect(await finding({ ip })).toMatchObject({ result: 'passed', metadata: { kind: 'private' } });
    },
  );

  it('leaves out what is not known', async () => {
    const unannounced = {
      ...rangesOf('ordinary'),
      lookup: () => ({ asn: undefined, network: undefined, country: undefined, kind: 'ordinary' as const }),
    };
    expect((await finding({}, { ranges: () => unannounced })).metadata).toEqual({
      kind: 'ordinary',
      address: '8.0.0.1',
      dataVersion: 'test-1',
    });
  });

  it('cannot tell without data, and does not fail', async () => {
    expect(await finding({}, { ranges: () => undefined })).toMatchObject({
      result: 'unknown',
      reason: 'no network data is loaded',
    });
  });

  it('uses the data that is current when the request arrives', async () => {
    let kind: NetworkKind = 'ordinary';
    const data = { ranges: () => rangesOf(kind) };
    expect((await finding({}, data)).result).toBe('passed');
    kind = 'tor';
    expect((await finding({}, data)).result).toBe('failed');
  });
});

describe('without an address', () => {
  it('the check does not apply', () => {
    const check = createIpCheck({ ranges: () => undefined });
    expect(hasInput(check, { ...inputOf({}), ip: undefined })).toBe(false);
    expect(hasInput(check, inputOf({}))).toBe(true);
  });
});

describe('the operator’s own database', () => {
  const saying = (kind: NetworkKind | undefined) => ({ version: 'own', kindOf: () => kind });

  it('adds the class that it states, and the class with the highest priority counts', async () => {
    const own = { ranges: () => rangesOf('ordinary'), operatorDatabase: saying('vpn') };
    expect(await finding({}, own)).toMatchObject({ signals: ['vpn_detected'], metadata: { asn: 64500 } });
    const relay = { ranges: () => rangesOf('hosting'), operatorDatabase: saying('relay') };
    expect(await finding({}, relay)).toMatchObject({ result: 'passed', metadata: { kind: 'relay' } });
  });

  it('never fails people behind a relay or a gateway because it classifies the servers there', async () => {
    for (const kind of ['relay', 'corporate'] as const) {
      const data = { ranges: () => rangesOf(kind), operatorDatabase: saying('hosting') };
      expect(await finding({}, data)).toMatchObject({ result: 'passed', metadata: { kind } });
    }
  });

  it('does not change the result where it states no class', async () => {
    const silent = { ranges: () => rangesOf('hosting'), operatorDatabase: saying(undefined) };
    expect(await finding({}, silent)).toMatchObject({ signals: ['hosting_ip'] });
  });

  it('is enough on its own', async () => {
    expect(await finding({}, { ranges: () => undefined, operatorDatabase: saying('tor') })).toMatchObject({
      result: 'failed',
      signals: ['tor_exit'],
    });
  });
});

it('returns only fields and signals that the contract lists', async () => {
  for (const kind of ['ordinary', 'corporate', 'relay', 'tor', 'vpn', 'proxy', 'hosting'] as const) {
    const found = await finding({}, { ranges: () => rangesOf(kind) });
    for (const field of Object.keys(found.metadata ?? {}))
      expect(Object.keys(CHECK_METADATA.ip)).toContain(field);
    for (const signal of found.signals ?? []) expect(Object.keys(SIGNALS)).toContain(signal);
    expect(CHECK_METADATA.ip.kind.type).toContain(found.metadata?.kind);
  }
});

describe('a burst of new inboxes from the network', () => {
  const burst = { count: 31, usual: 1.2 };
  const activity = {
    networkBurst: () => burst,
    patternBurst: () => undefined,
    newNames: () => 0,
    badDomain: () => undefined,
    newDomain: () => false,
    mistyped: () => 0,
  };
  const inspect = (kind: NetworkKind, question: Question = {}) =>
    createIpCheck({ ranges: () => rangesOf(kind) }).inspect({ ...inputOf(question), activity }) as Finding;

  it('is reported, and changes no result', () => {
    expect(inspect('ordinary')).toMatchObject({
      result: 'passed',
      signals: ['network_burst'],
      metadata: { kind: 'ordinary', burst },
    });
    expect(inspect('hosting')).toMatchObject({ result: 'failed', signals: ['hosting_ip', 'network_burst'] });
  });

  it('is ordinary for relays, gateways and private addresses', () => {
    for (const finding of [inspect('relay'), inspect('corporate'), inspect('ordinary', { ip: '10.0.0.1' })])
      expect(finding.signals).toBeUndefined();
  });
});
