import type { LinkedKind } from '@postern/contract/dashboard';
import { keepPreviousData } from '@tanstack/react-query';
import type { ThingName } from '../components/thing-link.tsx';
import { rangeParams, type TimeRange } from '../components/time-range.ts';
import type { Params } from './client.ts';
import { queryOf } from './query-of.ts';

const MINUTE_MS = 60_000;

export const thingQuery = (id: string, of: ThingName, range: TimeRange) => ({
  ...queryOf('GET /projects/:id/thing', { id, ...of, ...rangeParams(range) }),
  refetchInterval: MINUTE_MS,
});

export const thingsQuery = (id: string, kind: LinkedKind, filters: Params) => ({
  ...queryOf('GET /projects/:id/things', { ...filters, id, kind }),
  placeholderData: keepPreviousData,
});

// The service asks DNS for this, and answers a limited number of times an hour.
export const domainChecksQuery = (id: string, domain: string) => ({
  ...queryOf('GET /projects/:id/domains/:domain/checks', { id, domain }),
  staleTime: 5 * MINUTE_MS,
});
