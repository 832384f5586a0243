import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { parseEmailAddress } from '../../model/parse-email-address.ts';
import { DEFAULT_POLICY } from '../../model/project.ts';
import { findRole, NOT_ROLES } from './find-role.ts';
import { roleEmailCheck } from './role-email-check.ts';

interface Labelled {
  readonly local: string;
  readonly role: boolean;
  readonly why: string;
}

const corpus: readonly Labelled[] = JSON.parse(
  readFileSync(new URL('../../../../../eval/role-email/corpus.json', import.meta.url), 'utf8'),
);
const packageEntries: readonly string[] = createRequire(import.meta.url)('role-based-email-addresses');

function inspect(text: string) {
  const address = parseEmailAddress(text);
  if (address === undefined) throw new Error(`${text} is not an address`);
  return roleEmailCheck.inspect({
    address,
    fingerprintHash: undefined,
    ip: undefined,
    userAgent: undefined,
    scriptHint: undefined,
    policy: DEFAULT_POLICY,
    mailRoute: () => ({ status: 'unknown', reason: 'not-asked' }),
    inbox: () => ({ canonical: address.normalized, kind: 'none' }),
    activity: undefined,
    now: 0,
  });
}

it('fails a function with its signal and names it', () => {
  expect(inspect('Vendas@empresa.com.br')).toEqual({
    result: 'failed',
    error: 'The address belongs to a function, not to a person',
    signals: ['role_email'],
    metadata: { role: 'sales' },
  });
  expect(inspect('"Admin"@posteo.de')).toMatchObject({ result: 'failed', metadata: { role: 'admin' } });
  expect(inspect('jane.doe@posteo.de')).toEqual({ result: 'passed' });
});

it('passes the aliases of one person, but not the relay’s own role addresses', () => {
  expect(inspect('shop@jane.anonaddy.com')).toEqual({ result: 'passed' });
  expect(inspect('newsletter@jane.mozmail.com')).toEqual({ result: 'passed' });
  expect(inspect('support@mozmail.com')).toMatchObject({ result: 'failed' });
});

describe('on the labelled corpus', () => {
  it('does not mistake a person for a function', () => {
    const people = corpus.filter((entry) => !entry.role);
    expect(people.length).toBeGreaterThan(2_000);
    expect(people.filter((entry) => findRole(entry.local) !== undefined)).toEqual([]);
  });

  it('finds every function', () => {
    const roles = corpus.filter((entry) => entry.role);
    expect(roles.length).toBeGreaterThan(500);
    expect(roles.filter((entry) => findRole(entry.local) === undefined)).toEqual([]);
  });
});

describe('the package’s entries', () => {
  const dropped = new Set(Object.values(NOT_ROLES).flatMap((entries) => entries.trim().split(/\s+/)));

  it('are found, except those left out for a reason', () => {
    const missed = packageEntries.filter((entry) => !dropped.has(entry) && findRole(entry) === undefined);
    expect(missed).toEqual([]);
  });

  it('are not found when they were left out', () => {
    expect([...dropped].filter((entry) => findRole(entry) !== undefined)).toEqual([]);
  });

  it('include every entry that is left out here', () => {
    const known = new Set(packageEntries);
    expect([...dropped].filter((entry) => !known.has(entry))).toEqual([]);
  });
});

describe('the spelling', () => {
  it('does not matter for separators, tags, accents and short numbers', () => {
    for (const local of [
      'no-reply',
      'no_reply',
      'no.reply',
      'noreply',
      'no--reply',
      'no-reply+x',
      'noreply2',
    ]) {
      expect(findRole(local), local).toBe('no-reply');
    }
    expect(findRole('webmaster-acme')).toBe('webmaster');
    expect(findRole('acme.postmaster')).toBe('postmaster');
    for (const local of ['geschäftsführung', 'geschaeftsfuehrung', 'geschaftsfuhrung']) {
      expect(findRole(local), local).toBe('management');
    }
    for (const local of ['info', 'info1', 'info-02', 'info.de', 'info+jane'])
      expect(findRole(local), local).toBe('info');
  });

  it('matters when it turns the word into a person’s name', () => {
    // An initial and a surname, a tag without a name before it, and a number as people add to their names.
    for (const local of ['b.illing', '+admin', 'admin1987', 'salesman.bob', 'støre', '-', '_', '.']) {
      expect(findRole(local), local).toBeUndefined();
    }
  });
});
