import type { LinkedKind } from '@postern/contract/dashboard';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ThingName } from '../components/thing-link.tsx';
import { rangeParams, type TimeRange } from '../components/time-range.ts';
import { api, type Params } from './client.ts';

const MINUTE_MS = 60_000;

export const thingQuery = (id: string, of: ThingName, range: TimeRange) =>
  queryOptions({
    queryKey: ['thing', id, of, range],
    refetchInterval: MINUTE_MS,
    queryFn: ({ signal }) => api('GET /projects/:id/thing', { id, ...of, ...rangeParams(range) }, { signal }),
  });

export const thingsQuery = (id: string, kind: LinkedKind, filters: Params) =>
  queryOptions({
    queryKey: ['things', id, kind, filters],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api('GET /projects/:id/things', { ...filters, id, kind }, { signal }),
  });

export const domainChecksQuery = (id: string, domain: string) =>
  queryOptions({
    queryKey: ['domain-checks', id, domain],
    // The service asks DNS for this, and answers a limited number of times an hour.
    staleTime: 5 * MINUTE_MS,
    queryFn: ({ signal }) => api('GET /projects/:id/domains/:domain/checks', { id, domain }, { signal }),
  });
