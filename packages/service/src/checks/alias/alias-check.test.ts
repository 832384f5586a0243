import { describe, expect, it } from 'vitest';
import { inputFor } from '../../../test/support/check-input.ts';
import type { History } from '../../model/history.ts';
import { DEFAULT_POLICY, type ProjectPolicy } from '../../model/project.ts';
import type { Finding } from '../check.ts';
import { aliasCheck } from './alias-check.ts';

const inspect = async (text: string, policy?: ProjectPolicy): Promise<Finding> =>
  aliasCheck.inspect(inputFor(text, policy === undefined ? {} : { policy }));

const history = (inboxReused: boolean): History => ({ device: null, inboxReused });

function recall(finding: Finding, reused: boolean): Finding {
  if (aliasCheck.recall === undefined) throw new Error('the alias check has a recall function');
  return aliasCheck.recall(finding, history(reused));
}

describe('ordinary people pass', () => {
  it.each([
    'jane@example.com',
    'jane.doe@gmail.com',
    'j.a.doe@gmail.com',
    'jan.van.der.berg@gmail.com',
    'j.r.r.tolkien@gmail.com',
    'jane@googlemail.com',
    'jane@me.com',
    'jane.doe@ya.ru',
    'a.b.c.d@yandex.ru',
    'a.b.c.d@outlook.com',
    'jane_m.doe@proton.me',
    '"jane.doe"@gmail.com',
  ])('%s', async (text) => {
    const finding = await inspect(text);
    expect(finding.result).toBe('passed');
    expect(finding.signals ?? []).toEqual([]);
    expect(finding.metadata?.canonical).toMatch(/@/);
  });
});

describe('variants fail, and say which', () => {
  it.each([
    ['jane+news@gmail.com', 'tag', 'The address carries a tag'],
    ['jane+news@example.com', 'tag', 'The address carries a tag'],
    ['base-shop@yahoo.com', 'tag', 'The address carries a tag'],
    ['shop@jane.fastmail.com', 'subdomain', 'The address is a subdomain variant of another address'],
    ['j.a.n.e@gmail.com', 'dots', 'The address has extra dots that its provider ignores'],
    ['j-a_n.e@proton.me', 'dots', 'The address has extra dots that its provider ignores'],
  ])('%s (%s)', async (text, kind, error) => {
    expect(await inspect(text)).toMatchObject({
      result: 'failed',
      error,
      signals: ['alias_detected'],
      metadata: { kind },
    });
  });
});

it('accepts the hyphens in a person’s name at Proton', async () => {
  expect(await inspect('anna.van-der-berg@proton.me')).toMatchObject({
    result: 'passed',
    metadata: { canonical: 'annavanderberg@proton.me', kind: 'dots' },
  });
});

describe('relays', () => {
  it('pass, and are named', async () => {
    expect(await inspect('x7@duck.com')).toEqual({
      result: 'passed',
      signals: ['relay_email'],
      metadata: { canonical: 'x7@duck.com', kind: 'relay', provider: 'DuckDuckGo' },
    });
  });

  it('fail where the project says so', async () => {
    expect(await inspect('x7@duck.com', { ...DEFAULT_POLICY, relays: 'fail' })).toMatchObject({
      result: 'failed',
      signals: ['relay_email'],
    });
  });
});

describe('the project’s memory', () => {
  it('does not change a result when the inbox is new', async () => {
    const finding = await inspect('jane.doe@gmail.com');
    expect(recall(finding, false)).toBe(finding);
  });

  it('fails an inbox that was seen before under another spelling', async () => {
    expect(recall(await inspect('jane.doe@gmail.com'), true)).toEqual({
      result: 'failed',
      error: 'The same inbox was seen under another spelling',
      signals: ['alias_reuse'],
      metadata: { canonical: 'janedoe@gmail.com', kind: 'dots', provider: 'Gmail', seenBefore: true },
    });
  });

  it('keeps an earlier failure’s error and adds its signal', async () => {
    const finding = await inspect('jane+x@gmail.com');
    const before = structuredClone(finding);
    expect(recall(finding, true)).toMatchObject({
      result: 'failed',
      error: 'The address carries a tag',
      signals: ['alias_detected', 'alias_reuse'],
      metadata: { seenBefore: true },
    });
    expect(finding).toEqual(before);
  });
});
