import { afterEach, describe, expect, test } from 'vitest';
import { ordinaryMail, type Zone } from '../../../test/support/dns-server.ts';
import { createLookupBench } from '../../../test/support/mail-lookup.ts';
import type { MailLookup, OnGone } from './mail-lookup.ts';

const { serve, lookUpThrough, close } = createLookupBench();
afterEach(close);

/** A client that goes away when it is told to. */
function client(): { readonly onGone: OnGone; readonly leave: () => void; readonly listeners: () => number } {
  const listeners = new Set<() => void>();
  return {
    onGone: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    leave: () => {
      for (const listener of listeners) listener();
    },
    listeners: () => listeners.size,
  };
}

describe('a question that waits in the queue', () => {
  const silence: Zone = (name) =>
    name.endsWith('.silent.test') ? 'silent' : (ordinaryMail('a.test') as Record<string, object>)[name];
  /** One project alone has two of four slots. Both are taken for as long as the test runs. */
  async function fullLookup(): Promise<{ lookup: MailLookup; asked: (name: string) => number }> {
    const server = await serve(silence);
    const lookup = lookUpThrough(server, { maxInFlight: 4, maxWaiting: 100 });
    void lookup.route('one.silent.test', 'shop');
    void lookup.route('two.silent.test', 'shop');
    return { lookup, asked: (name) => server.timesAsked(name) };
  }

  test('is dropped when its client goes, and says nothing about the domain', async () => {
    const { lookup, asked } = await fullLookup();
    const jane = client();
    const route = lookup.route('a.test', 'shop', jane.onGone);
    expect(lookup.stats().waiting).toBe(1);
    jane.leave();
    expect(lookup.stats().waiting).toBe(0);
    expect(await route).toEqual({ status: 'unknown', reason: 'not-asked' });
    expect(jane.listeners()).toBe(0);
    expect(lookup.stats()).toMatchObject({ failures: 0, cachedRoutes: 0 });
    expect(asked('a.test')).toBe(0);
    // Another project has slots of its own, and gets the answer.
    expect(await lookup.route('a.test', 'other')).toMatchObject({ status: 'found' });
  });

  test('stays until the last of its clients goes', async () => {
    const { lookup } = await fullLookup();
    const [jane, joe] = [client(), client()];
    const routes = [lookup.route('a.test', 'shop', jane.onGone), lookup.route('a.test', 'shop', joe.onGone)];
    jane.leave();
    expect(lookup.stats().waiting).toBe(1);
    joe.leave();
    expect(lookup.stats().waiting).toBe(0);
    expect(await Promise.all(routes)).toHaveLength(2);
  });

  test('stays for another project that asks it too', async () => {
    const { lookup } = await fullLookup();
    const jane = client();
    void lookup.route('three.silent.test', 'other');
    void lookup.route('a.test', 'shop', jane.onGone);
    void lookup.route('a.test', 'other');
    // It waits in both projects’ queues.
    expect(lookup.stats().waiting).toBe(2);
    jane.leave();
    expect(lookup.stats().waiting).toBe(2);
  });

  test('stays for somebody who cannot go, such as the keeper of an idempotent answer', async () => {
    const { lookup } = await fullLookup();
    const jane = client();
    void lookup.route('a.test', 'shop', jane.onGone);
    void lookup.route('a.test', 'shop');
    jane.leave();
    expect(lookup.stats().waiting).toBe(1);
  });

  test('is asked anew for a client that comes after it was dropped', async () => {
    const { lookup } = await fullLookup();
    const jane = client();
    void lookup.route('a.test', 'shop', jane.onGone);
    jane.leave();
    void lookup.route('a.test', 'shop', client().onGone);
    expect(lookup.stats().waiting).toBe(1);
  });
});

test('a question that was sent is answered although its client has gone, and the answer is kept', async () => {
  const server = await serve(ordinaryMail('a.test'));
  const lookup = lookUpThrough(server);
  const jane = client();
  const route = lookup.route('a.test', 'shop', jane.onGone);
  jane.leave();
  expect(await route).toMatchObject({ status: 'found' });
  expect(lookup.stats().cachedRoutes).toBe(1);
});
