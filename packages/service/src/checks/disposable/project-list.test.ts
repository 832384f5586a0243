import { describe, expect, it } from 'vitest';
import { inspect, NOW } from '../../../test/support/disposable-fixture.ts';

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
        result: 'passed',
        metadata: { source: 'project-allow' },
      });
    }
    expect(inspect('b@x.sure.example', { allowList: [{ value: 'a@x.sure.example' }] }).result).toBe('failed');
  });

  it('block what other lists allow', () => {
    for (const value of ['a@provider.example', 'provider.example']) {
      expect(inspect('a@provider.example', { blockList: [{ value }] })).toMatchObject({
        result: 'failed',
        signals: ['disposable_email'],
        metadata: { source: 'project-block' },
      });
    }
    expect(inspect('a@notprovider.example', { blockList: [{ value: 'provider.example' }] }).result).toBe(
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
      inspect('a@x.y.example', { allowList: [{ value: allow }], blockList: [{ value: block }] }).result;
    expect(judge('x.y.example', 'x.y.example')).toBe('passed');
    expect(judge('y.example', 'x.y.example')).toBe('failed');
    expect(judge('x.y.example', 'y.example')).toBe('passed');
    expect(judge('x.y.example', 'a@x.y.example')).toBe('failed');
    expect(judge('a@x.y.example', 'x.y.example')).toBe('passed');
  });

  it('ignore expired entries', () => {
    expect(inspect('a@x.example', { blockList: [{ value: 'x.example', expiresAt: NOW }] }).result).toBe(
      'passed',
    );
    expect(inspect('a@x.example', { blockList: [{ value: 'x.example', expiresAt: NOW + 1 }] }).result).toBe(
      'failed',
    );
    const renewed = [{ value: 'x.example', expiresAt: 1 }, { value: 'x.example' }];
    expect(inspect('a@x.example', { blockList: renewed }).result).toBe('failed');
  });

  it('accept internationalised domains', () => {
    const blockList = [{ value: 'Bücher.example' }];
    expect(inspect('a@xn--bcher-kva.example', { blockList }).result).toBe('failed');
  });
});
