import { describe, expect, it } from 'vitest';
import { inboxOf } from '../../test/support/inbox-of.ts';
import { parseIpAddress } from '../model/ip-address.ts';
import type { NetworkFacts } from '../model/network-facts.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import { ListIndex } from './list-index.ts';
import { findListing } from './own-lists.ts';

const NOW = Date.UTC(2026, 10, 15);
const PERSON = 'person-0123456789abcde';
const DEVICE = 'device-0123456789abcde';
const NETWORK: NetworkFacts = { kind: 'ordinary', asn: 64500, country: 'DE' };

interface Question {
  readonly email?: string;
  readonly ip?: string;
  readonly allow?: readonly string[];
  readonly block?: readonly string[];
  readonly network?: () => NetworkFacts | undefined;
}

function answer({ email = 'jane@mail.shop.example', ip = '203.0.113.7', ...lists }: Question) {
  const address = parseEmailAddress(email);
  if (address === undefined) throw new Error(`${email} is no address`);
  const { allow = [], block = [], network = () => NETWORK } = lists;
  const own = { allowList: allow.map((value) => ({ value })), blockList: block.map((value) => ({ value })) };
  const asker = {
    input: { address, ip: parseIpAddress(ip), now: NOW },
    inbox: inboxOf(address),
    person: PERSON,
    mailHost: 'mx.farm.example',
    device: DEVICE,
  };
  return findListing(own, asker, network);
}

/** Entries that all cover the request, the most specific first. Those in one row are equally specific. */
const COVERING = [
  [`person:${PERSON}`, 'jane@mail.shop.example'],
  [`device:${DEVICE}`],
  ['203.0.113.7'],
  ['203.0.113.0/28'],
  ['203.0.0.0/16'],
  ['mail.shop.example'],
  ['shop.example'],
  ['mx:farm.example'],
  ['AS64500'],
  ['country:DE'],
];

it('a text that is longer than any domain is not looked up, whatever its end', () => {
  const index = new ListIndex([{ value: 'shop.example' }]);
  const covers = (labels: number) => index.covers(`${'a.'.repeat(labels)}shop.example`, NOW, String);
  expect([covers(0), covers(120), covers(121)]).toEqual([true, true, false]);
});

it('an entry of the block list can flag, and gives way to one that blocks', () => {
  const blockList = [{ value: 'shop.example', flag: true }, { value: 'mail.shop.example' }] as const;
  const address = parseEmailAddress('jane@mail.shop.example');
  if (address === undefined) throw new Error('No address');
  const input = { address, ip: undefined, now: NOW };
  const asker = { input, inbox: inboxOf(address), person: PERSON, mailHost: '', device: undefined };
  const found = (list: readonly (typeof blockList)[number][]) =>
    findListing({ allowList: [], blockList: list }, asker, () => undefined);
  expect(found(blockList.slice(0, 1))).toEqual({ action: 'flag', kind: 'domain' });
  expect(found(blockList)).toEqual({ action: 'block', kind: 'domain' });
});

describe('an entry covers', () => {
  it.each(COVERING.flat())('the request, if it is %s', (value) => {
    expect(answer({ block: [value] })?.action).toBe('block');
    expect(answer({ allow: [value] })?.action).toBe('allow');
  });

  it.each([
    'john@mail.shop.example',
    'workshop.example',
    'x.mail.shop.example',
    '203.0.113.8',
    '203.0.113.128/25',
    '2001:db8::/32',
    'AS64501',
    'country:AT',
    `person:${DEVICE}`,
    `device:${PERSON}`,
  ])('nothing else: %s', (value) => {
    expect(answer({ block: [value] })).toBeNull();
  });

  it.each([
    ['evil.person@gmail.com', 'evil.person+1@gmail.com'],
    ['evil.person@gmail.com', 'e.v.i.l.person@gmail.com'],
    ['evil.person@gmail.com', 'EvilPerson@googlemail.com'],
    ['evil.person+1@gmail.com', 'evilperson@gmail.com'],
    ['jane@company.example', 'jane+x@company.example'],
    ['jane+x@company.example', 'jane@company.example'],
  ])('every spelling of an inbox: %s covers %s', (value, email) => {
    expect(answer({ block: [value], email })).toEqual({ action: 'block', kind: 'address' });
  });

  it('not the neighbour of an inbox', () => {
    expect(answer({ block: ['jane@company.example'], email: 'janet@company.example' })).toBeNull();
    expect(answer({ block: ['jane@company.example'], email: 'jane@other.example' })).toBeNull();
  });
});

describe('of two entries', () => {
  const pairs = COVERING.flatMap((specific, place) =>
    COVERING.slice(place + 1).flatMap((general) =>
      specific.flatMap((one) => general.map((other) => [one, other] as const)),
    ),
  );

  it.each(pairs)('the more specific one wins: %s over %s', (specific, general) => {
    expect(answer({ allow: [specific], block: [general] })?.action).toBe('allow');
    expect(answer({ allow: [general], block: [specific] })?.action).toBe('block');
  });

  it('allow wins if they are equally specific', () => {
    for (const [one = '', other = one] of COVERING) {
      expect(answer({ allow: [one], block: [other] })?.action).toBe('allow');
      expect(answer({ allow: [other], block: [one] })?.action).toBe('allow');
    }
  });
});

it('an entry that has ended covers nobody, and the next specific one decides', () => {
  const address = parseEmailAddress('jane@shop.example');
  if (address === undefined) throw new Error('no address');
  const asker = {
    input: { address, ip: undefined, now: NOW },
    inbox: inboxOf(address),
    person: '',
    mailHost: '',
    device: undefined,
  };
  const blockList = [{ value: 'shop.example', expiresAt: NOW }];
  expect(findListing({ allowList: [], blockList }, asker, () => undefined)).toBeNull();
  const allowList = [{ value: 'shop.example' }];
  const ended = [{ value: 'jane@shop.example', expiresAt: NOW - 1 }];
  expect(findListing({ allowList, blockList: ended }, asker, () => undefined)?.action).toBe('allow');
  const lasting = [{ value: 'jane@shop.example', expiresAt: NOW + 1 }];
  expect(findListing({ allowList, blockList: lasting }, asker, () => undefined)?.action).toBe('block');
  const twice = [...ended, { value: 'jane@shop.example' }, ...ended];
  expect(findListing({ allowList, blockList: twice }, asker, () => undefined)?.action).toBe('block');
});

it('the network is looked up only for entries that need it', () => {
  const network = () => {
    throw new Error('not needed');
  };
  expect(answer({ block: ['shop.example', '10.0.0.0/8'], network })?.action).toBe('block');
  expect(() => answer({ block: ['country:DE'], network })).toThrow('not needed');
});
