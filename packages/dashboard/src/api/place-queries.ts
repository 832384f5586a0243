import { queryOptions } from '@tanstack/react-query';
import { rangeParams, type TimeRange } from '../components/time-range.ts';
import { api } from './client.ts';

const MINUTE_MS = 60_000;

export const domainQuery = (id: string, domain: string, range: TimeRange) =>
  queryOptions({
    queryKey: ['domain', id, domain, range],
    refetchInterval: MINUTE_MS,
    queryFn: ({ signal }) =>
      api('GET /projects/:id/domains/:domain', { id, domain, ...rangeParams(range) }, { signal }),
  });

export const domainChecksQuery = (id: string, domain: string) =>
  queryOptions({
    queryKey: ['domain-checks', id, domain],
    // The service asks DNS for this, and answers a limited number of times an hour.
    staleTime: 5 * MINUTE_MS,
    queryFn: ({ signal }) => api('GET /projects/:id/domains/:domain/checks', { id, domain }, { signal }),
  });

export const networkQuery = (id: string, of: { asn: number } | { network: string }, range: TimeRange) =>
  queryOptions({
    queryKey: ['network', id, of, range],
    refetchInterval: MINUTE_MS,
    queryFn: ({ signal }) =>
      api('GET /projects/:id/network', { id, ...of, ...rangeParams(range) }, { signal }),
  });
