import { beforeEach, describe, expect, it } from 'vitest';
import { parseIpAddress } from '../model/ip-address.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import { type ActivityTracker, createActivityTracker, type RequestActivity } from './activity-tracker.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 10, 15, 12);

let tracker: ActivityTracker;
let now: number;
beforeEach(() => {
  tracker = createActivityTracker();
  now = START;
});

interface Where {
  readonly ip?: string;
  readonly project?: string;
}

function look(email: string, { ip, project = 'shop' }: Where = {}): RequestActivity {
  const address = parseEmailAddress(email);
  if (address === undefined) throw new Error(`${email} is not an address`);
  return tracker.ofRequest({
    projectId: project,
    address,
    ip: ip === undefined ? undefined : parseIpAddress(ip),
    now,
  });
}

const signUp = (email: string, where?: Where) => look(email, where).record(`inbox of ${email}`);
const signUps = (count: number, emailOf: (index: number) => string, where?: Where) => {
  for (let index = 0; index < count; index += 1) signUp(emailOf(index), where);
};
/** A different person each time. */
let people = 0;
const person = () => `${'abcdefghij'.charAt(people % 10)}.doe@company-${people++}.com`;

describe('a network', () => {
  const OFFICE = { ip: '81.2.69.142' };
  const burst = (where: Where = OFFICE) => look('new@company.com', where).networkBurst();

  it('bursts from twenty new inboxes in an hour on, and says how many are usual', () => {
    signUps(19, person, OFFICE);
    expect(burst()).toBeUndefined();
    signUps(1, person, OFFICE);
    expect(burst()).toEqual({ count: 20, usual: 0.2 });
    expect(burst({ ip: '81.2.69.7' })).toMatchObject({ count: 20 });
    expect(burst({ ip: '81.2.70.7' })).toBeUndefined();
    expect(burst({})).toBeUndefined();
    expect(burst({ ...OFFICE, project: 'other' })).toBeUndefined();
    now += HOUR;
    expect(burst()).toBeUndefined();
  });

  it('counts the same inbox once', () => {
    signUps(60, () => 'jane@company.com', OFFICE);
    expect(burst()).toBeUndefined();
    const variants = look('j.ane@gmail.com', OFFICE);
    for (let index = 0; index < 60; index += 1) variants.record('inbox of jane@gmail.com');
    expect(burst()).toBeUndefined();
  });

  it('does not burst while it brings what it always brings, also at its peak', () => {
    for (let hour = 0; hour < 30; hour += 1) {
      signUps(20, person, OFFICE);
      now += HOUR;
    }
    signUps(58, person, OFFICE);
    expect(burst()).toBeUndefined();
    signUps(42, person, OFFICE);
    expect(burst()).toEqual({ count: 100, usual: 20 });
  });

  it('a part of a busy project that is ordinary for a mobile network is none', () => {
    for (let index = 0; index < 3_000; index += 1)
      signUp(person(), { ip: `81.${index % 250}.${Math.floor(index / 250)}.1` });
    signUps(40, person, { ip: '90.1.1.1' });
    expect(burst({ ip: '90.1.1.1' })).toBeUndefined();
    signUps(40, person, { ip: '90.1.1.1' });
    expect(burst({ ip: '90.1.1.1' })).toMatchObject({ count: 80 });
  });

  it('that usually has more of the people brings more of them in a busy hour too', () => {
    const others = (count: number) => {
      for (let index = 0; index < count; index += 1)
        signUp(`jane${people++}@gmail.com`, { ip: `81.${index % 250}.${Math.floor(index / 250)}.1` });
    };
    const mobile = { ip: '90.1.1.1' };
    for (let hour = 0; hour < 24; hour += 1) {
      others(144);
      signUps(6, person, mobile);
      now += HOUR;
    }
    others(1_440);
    signUps(60, person, mobile);
    expect(burst(mobile)).toBeUndefined();
    signUps(60, person, mobile);
    expect(burst(mobile)).toMatchObject({ count: 120 });
  });

  it.each(['10.0.0.1', '192.168.1.1', '127.0.0.1', '198.51.100.7', 'fd00::1'])(
    '%s never bursts, because it says nothing about who asks',
    (ip) => {
      signUps(60, person, { ip });
      expect(burst({ ip })).toBeUndefined();
    },
  );

  it('one /48 of IPv6 is one network', () => {
    for (let index = 0; index < 20; index += 1) signUp(person(), { ip: `2a00:1450:4001:${index + 1}::1` });
    expect(burst({ ip: '2a00:1450:4001:ff::9' })).toMatchObject({ count: 20 });
  });
});

describe('a shape at a domain', () => {
  const burst = (email: string) => look(email).patternBurst();

  it('bursts from twenty new inboxes in an hour on', () => {
    signUps(19, (index) => `winner${100 + index}@new-shop.com`);
    expect(burst('winner999@new-shop.com')).toBeUndefined();
    signUps(1, () => 'other119@new-shop.com');
    expect(burst('winner999@new-shop.com')).toEqual({ shape: 'a999', count: 20, usual: 4 });
    expect(burst('winner99@new-shop.com')).toBeUndefined();
    expect(burst('winner999@other-shop.com')).toBeUndefined();
  });

  it('counts at most five inboxes of one network, so that one visitor cannot taint it', () => {
    signUps(60, (index) => `winner${100 + index}@new-shop.com`, { ip: '81.2.69.1' });
    expect(burst('winner999@new-shop.com')).toBeUndefined();
    for (let network = 1; network <= 4; network += 1)
      signUps(5, (index) => `winner${network}0${index}@other-shop.com`, { ip: `81.3.${network}.1` });
    expect(burst('winner999@other-shop.com')).toMatchObject({ shape: 'a999', count: 20 });
  });

  it('a rush of ordinary people at a mail provider has no shape of its own', () => {
    const shapes = ['jane', 'jane.doe', 'jane@99', 'jane.doe@99', 'jane@999', 'jdoe', 'jane@9999'];
    for (let index = 0; index < 700; index += 1) {
      const letters = `${'abcdefghij'.charAt(index % 10)}${'klmnopqrst'.charAt(Math.floor(index / 10) % 10)}`;
      const [name, digits = ''] = (shapes[index % shapes.length] ?? '').split('@');
      signUp(`${letters}${name}${digits.replaceAll('9', String(index % 10))}@gmail.com`);
    }
    for (const email of ['max77@gmail.com', 'max777@gmail.com', 'max7777@gmail.com', 'm.max77@gmail.com'])
      expect(burst(email)).toBeUndefined();
  });

  it('a script among ordinary people at a mail provider is found', () => {
    signUps(60, (index) => `${'abcdefghij'.charAt(index % 10)}${'klmnop'.charAt(index / 10)}.doe@gmail.com`);
    signUps(60, (index) => `lucky${1_000 + index}@gmail.com`);
    expect(burst('lucky2000@gmail.com')).toEqual({ shape: 'a9999', count: 60, usual: 24 });
  });

  it('a company’s people who all join on one day are none', () => {
    signUps(200, (index) => `${'abcdefghij'.charAt(index % 10)}.${'x'.repeat(1 + index / 10)}@company.com`);
    expect(burst('jane.doe@company.com')).toBeUndefined();
  });
});

describe('new names under a domain', () => {
  const names = (email: string) => look(email).newNames();

  it('are counted once each, this one included', () => {
    expect(names('a@one.shop.com')).toBe(1);
    signUp('a@one.shop.com');
    signUp('b@one.shop.com');
    signUp('a@two.shop.com');
    expect(names('a@one.shop.com')).toBe(2);
    expect(names('a@deep.three.shop.com')).toBe(3);
    expect(names('a@shop.com')).toBe(0);
    expect(names('a@three.shop.co.uk')).toBe(1);
    expect(look('a@three.shop.com', { project: 'other' }).newNames()).toBe(1);
  });

  it('are not new after a day, as long as somebody comes from there', () => {
    for (let halfDay = 0; halfDay < 3; halfDay += 1) {
      for (const part of ['sales', 'plant', 'office']) signUp(`a@${part}.maker.com`);
      now += DAY / 2;
    }
    expect(names('b@plant.maker.com')).toBe(0);
    expect(names('b@fresh.maker.com')).toBe(1);
    now += 2 * DAY;
    expect(names('b@plant.maker.com')).toBe(1);
  });

  it('leave out countries, departments, universities and providers that give everybody a name', () => {
    for (const domain of ['de.maker.com', 'cs.uni.edu', 'physics.uni.ac.uk', 'jane.fastmail.com'])
      expect(names(`a@${domain}`)).toBe(0);
  });
});

describe('what is kept', () => {
  it('is forgotten after a day without requests, and within two days with them', () => {
    signUps(30, (index) => `jane${index}@n${index}.shop.com`, { ip: '81.2.69.142' });
    expect(tracker.size().projects).toBe(1);
    tracker.forget(now + DAY - 1);
    expect(tracker.size().entries).toBeGreaterThan(60);
    tracker.forget(now + DAY);
    expect(tracker.size()).toEqual({ projects: 0, entries: 0 });

    signUps(30, person, { ip: '81.2.69.142' });
    now += 2 * DAY;
    signUp(person());
    // The inbox, and a count for the domain.
    expect(tracker.size()).toEqual({ projects: 1, entries: 2 });
  });

  it('has a bound for each project, and the longest unseen goes first', () => {
    const bounds = { projects: 3, entries: 1_000, inboxes: 40, counts: 30, domains: 4, namesOfDomain: 5 };
    tracker = createActivityTracker(bounds);
    for (let index = 0; index < 2_000; index += 1) {
      signUp(`jane${index}@n${index % 50}.shop-${index % 10}.com`, { ip: `81.2.${index % 256}.1` });
      // One slot for each count.
      expect(tracker.size().entries).toBeLessThanOrEqual(40 + 2 * 30 + 4 * 5);
    }
    tracker = createActivityTracker({ ...bounds, counts: 3 });
    signUps(20, () => `${person().split('@')[0]}${people}@shop.com`, { ip: '81.2.69.1' });
    signUps(1, person, { ip: '81.2.70.1' });
    expect(look('a@b.com', { ip: '81.2.69.1' }).networkBurst()).toBeUndefined();
  });

  it('has a bound for projects and for all together; the project that was quiet longest goes first', () => {
    const bounds = { projects: 3, entries: 100, inboxes: 50, counts: 50, domains: 5, namesOfDomain: 5 };
    tracker = createActivityTracker(bounds);
    for (const project of ['one', 'two', 'one', 'three', 'four']) {
      signUp('a@x.shop.com', { project });
      now += 1;
    }
    expect(tracker.size().projects).toBe(3);
    const names = (project: string) => look('a@y.shop.com', { project }).newNames();
    expect(['one', 'two', 'three', 'four'].map(names)).toEqual([2, 1, 2, 2]);

    for (let index = 0; index < 500; index += 1) {
      signUp(person(), { project: index % 2 === 0 ? 'one' : 'two' });
      expect(tracker.size().entries).toBeLessThanOrEqual(100 + 50);
    }
    expect(names('four')).toBe(1);
  });

  it('stays small when strangers fill it on purpose', () => {
    for (let index = 0; index < 20_000; index += 1) {
      const where = { ip: `81.${index % 256}.${Math.floor(index / 256)}.1`, project: `p${index % 40}` };
      signUp(`jane${index}@n${index}.shop-${index % 900}.com`, where);
    }
    expect(tracker.size().entries).toBeLessThanOrEqual(120_000);
  });
});
