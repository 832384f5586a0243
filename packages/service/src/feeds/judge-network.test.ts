import { describe, expect, it } from 'vitest';
import { readJson } from '../lists/read-list.ts';
import { isLeasedSpace, judgeNetwork, knownNetworks } from './judge-network.ts';

/** A number that no list has, so that the name alone decides. */
const UNLISTED = 4_200_000_001;

describe('by name', () => {
  it.each([
    'Example Hosting Ltd',
    'Servidores y Hospedagem Ltda',
    'VPSville LLC',
    'Some Data Centers, Inc.',
    'Joe’s Datacenter, LLC',
    'Your Dedicated Servers Limited',
    'Cloud Computing Corporation',
    'Example Colocation Center',
    'RackExample LLC',
    'Amazon.com, Inc.',
    'Hetzner Online GmbH',
    'Leaseweb Nowhere B.V.',
    'Datacampus SAS',
    'PlusServer GmbH',
    'Example Veri Merkezi Hizmetleri A.S.',
    'Sunucuyeri Internet Ltd. Sti.',
    'ExampleNode LLC',
    'AntiDDoS Solutions LLC',
  ])('%s is hosting', (name) => {
    expect(judgeNetwork(UNLISTED, name)).toBe('hosting');
  });

  it.each([
    ['Castle VPN', 'vpn'],
    ['FREE UNLIMITED VPN LTD', 'vpn'],
    ['PacketHub S.A.', 'vpn'],
    ['Red-Proxy, LLC', 'proxy'],
    ['AUPROXIES LLC', 'proxy'],
    ['ZSCALER, INC.', 'corporate'],
    ['Cloudflare Sydney, LLC', 'relay'],
  ])('%s is %s', (name, kind) => {
    expect(judgeNetwork(UNLISTED, name)).toBe(kind);
  });

  it.each([
    'Telmex Colombia S.A.',
    'ETB - Colombia',
    'COLORADO CENTRAL TELECOM',
    'NetCologne Gesellschaft fur Telekommunikation mbH',
    'Leibniz-Rechenzentrum',
    'Coloplast A/S',
    'Wasserversorgung Bayerischer Wald',
    'CLOUDWIFI, SL',
    'INALAMBRICO DEDICADO S.A. DE C.V.',
    'The Observer Newspaper',
    'Amazonas Telecom Ltda',
    'Google Fiber Inc.',
    'Cloud Telecom Ltda',
    'GRUPOHOST COMUNICACAO MULTIMIDIA LTDA',
    'ok virtual provedor de internet ltda',
    'IWserver Internet Banda Larga Ltda.',
    'Cloud9 Broadband',
    'Hostel Fibra Optica',
    'University of Somewhere Host Services',
    'Deutsche Telekom AG',
    'Comcast Cable Communications, LLC',
    'Railway Telecom, Ltd',
    'Hurricane Electric LLC',
    'EURONICS Deutschland eG',
    'Bisnode d.o.o.',
    'Wasserverband Nord',
    'Ultranode Communications Private Limited',
  ])('%s is an ordinary network', (name) => {
    expect(judgeNetwork(UNLISTED, name)).toBe('ordinary');
  });
});

describe('by number', () => {
  it('wins over the name', () => {
    expect(judgeNetwork(37_611, 'AFRIHOST SP (PTY) LTD')).toBe('ordinary');
    expect(judgeNetwork(16_591, 'Google Fiber Inc.')).toBe('ordinary');
    expect(judgeNetwork(63_949, 'Akamai Technologies, Inc.')).toBe('hosting');
    expect(judgeNetwork(36_183, 'Akamai Technologies, Inc.')).toBe('relay');
  });
});

describe('space that a carrier rents out', () => {
  it('is recognised by the country where it is registered', () => {
    expect(isLeasedSpace(174, 'SC')).toBe(true);
    expect(isLeasedSpace(174, 'US')).toBe(false);
    expect(isLeasedSpace(174, undefined)).toBe(false);
    expect(isLeasedSpace(7018, 'SC')).toBe(false);
    expect(isLeasedSpace(undefined, 'SC')).toBe(false);
  });
});

describe('the lists', () => {
  it('have each number once', () => {
    const numbers = knownNetworks().flatMap((entry) => entry.numbers);
    expect(numbers.filter((asn, i) => numbers.indexOf(asn) !== i)).toEqual([]);
  });

  it('have each name once, in lower case, and long enough to identify one company', () => {
    const names = readJson<readonly { names: string[] }[]>('networks/known-operators.json').flatMap(
      (entry) => entry.names,
    );
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
    expect(names.filter((name) => name !== name.toLowerCase() || name.length < 3)).toEqual([]);
  });
});
