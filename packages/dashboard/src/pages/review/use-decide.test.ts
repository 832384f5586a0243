import type { ReviewRow } from '@postern/contract/dashboard';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { createElement } from 'react';
import { act, create } from 'react-test-renderer';
import { afterEach, expect, it, vi } from 'vitest';
import { useDecideMany } from './selection-bar.tsx';
import { useDecide } from './use-decide.ts';

afterEach(() => vi.unstubAllGlobals());

it('what shows how a person turned out is read again after a decision', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('fetch', async () => Response.json({ undo: [], decided: 1, skipped: 0 }));
  const client = new QueryClient();
  let decide: ReturnType<typeof useDecide> | undefined;
  let decideMany: ReturnType<typeof useDecideMany> | undefined;
  const Page = () => {
    decide = useDecide('p', () => {});
    decideMany = useDecideMany('p', () => {});
    return null;
  };
  await act(async () => {
    create(createElement(QueryClientProvider, { client }, createElement(Page)));
  });
  const row = { id: 'v', maskedAddress: 'j***@example.com' } as ReviewRow;
  const isReadAgain = async (change: () => Promise<unknown> | undefined) => {
    client.setQueryData(['validation', 'p', 'v'], { outcome: 'unknown' });
    await act(async () => {
      await change();
    });
    return client.getQueryState(['validation', 'p', 'v'])?.isInvalidated;
  };
  expect(await isReadAgain(() => decide?.mutateAsync({ row, decision: 'bad' }))).toBe(true);
  expect(await isReadAgain(() => decideMany?.mutateAsync({ validations: ['v'], decision: 'bad' }))).toBe(
    true,
  );
});

it('what was still being read for the first time is read again too', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('fetch', async () => Response.json({ undo: [] }));
  const client = new QueryClient();
  let outcome = 'unknown';
  let answerFirst = () => {};
  let shown: string | undefined;
  let decide: ReturnType<typeof useDecide> | undefined;
  const queryFn = async () => {
    const read = outcome;
    if (read === 'unknown') await new Promise<void>((resolve) => (answerFirst = resolve));
    return read;
  };
  const Page = () => {
    decide = useDecide('p', () => {});
    shown = useQuery({ queryKey: ['validation', 'p', 'other'], queryFn }).data;
    return null;
  };
  await act(async () => {
    create(createElement(QueryClientProvider, { client }, createElement(Page)));
  });
  await act(async () => {
    outcome = 'bad';
    const row = { id: 'v', maskedAddress: 'j***@example.com' } as ReviewRow;
    await decide?.mutateAsync({ row, decision: 'bad' });
  });
  await act(async () => answerFirst());
  expect(shown).toBe('bad');
});
