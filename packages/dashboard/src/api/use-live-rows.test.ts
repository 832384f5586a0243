import type { ValidationPage, ValidationRow } from '@postern/contract/dashboard';
import { type InfiniteData, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { act, create } from 'react-test-renderer';
import { afterEach, expect, it, vi } from 'vitest';
import { useLiveLog } from './use-live-rows.ts';

afterEach(() => vi.unstubAllGlobals());

const rowsOf = (...ids: string[]) => ids.map((id) => ({ id }) as ValidationRow);

it.each([
  ['leaves rows to “Show older” that are older than what is shown', 'b', ['f', 'e', 'd', 'c', 'b']],
  ['takes them where nothing older is left to show', null, ['f', 'e', 'd', 'c', 'b', 'a']],
])('the stream of the last seconds %s', async (_, next, expected) => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const document = { hidden: false, addEventListener: vi.fn(), removeEventListener: vi.fn() };
  vi.stubGlobal('document', document);
  let send = (_event: { data: string }) => {};
  vi.stubGlobal(
    'EventSource',
    class {
      addEventListener = (type: string, take: typeof send) => {
        if (type === 'rows') send = take;
      };
      close() {}
    },
  );
  const client = new QueryClient();
  const pages = [
    { rows: rowsOf('e', 'd'), next: 'd' },
    { rows: rowsOf('c', 'b'), next },
  ];
  client.setQueryData(['log'], { pages, pageParams: [undefined, 'd'] });
  const Page = () => {
    useLiveLog('p', {}, ['log'], true, 0);
    return null;
  };
  await act(async () => {
    create(createElement(QueryClientProvider, { client }, createElement(Page)));
  });
  await act(async () => send({ data: JSON.stringify(rowsOf('f', 'e', 'c', 'a')) }));
  const log = client.getQueryData<InfiniteData<ValidationPage>>(['log']);
  const ids = log?.pages.flatMap(({ rows }) => rows.map(({ id }) => id)) ?? [];
  expect([...ids].sort()).toEqual([...expected].sort());
  expect(new Set(ids).size).toBe(ids.length);
});
