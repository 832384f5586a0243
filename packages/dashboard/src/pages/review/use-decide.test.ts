import type { ReviewRow } from '@postern/contract/dashboard';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
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
