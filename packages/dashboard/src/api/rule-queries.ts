import { queryOptions } from '@tanstack/react-query';
import { rangeParams, type TimeRange } from '../components/time-range.ts';
import { api } from './client.ts';

const MINUTE_MS = 60_000;

/** A project’s rules, in the order in which they are asked. */
export const rulesQuery = (id: string) =>
  queryOptions({
    queryKey: ['rules', id],
    queryFn: ({ signal }) => api('GET /projects/:id/rules', { id }, { signal }),
  });

export const ruleFiguresQuery = (id: string) =>
  queryOptions({
    queryKey: ['rule-figures', id],
    refetchInterval: MINUTE_MS,
    queryFn: ({ signal }) => api('GET /projects/:id/rule-figures', { id }, { signal }),
  });

export const ruleQuery = (id: string, rule: string, range: TimeRange) =>
  queryOptions({
    queryKey: ['rule', id, rule, range],
    queryFn: ({ signal }) =>
      api('GET /projects/:id/rules/:rule', { id, rule, ...rangeParams(range) }, { signal }),
  });

export const ruleVersionsQuery = (id: string, rule: string) =>
  queryOptions({
    queryKey: ['rule', id, rule, 'versions'],
    queryFn: ({ signal }) => api('GET /projects/:id/rules/:rule/versions', { id, rule }, { signal }),
  });

/** The rules whose evaluation failed in the last 30 days. */
export const ruleFailuresQuery = (id: string) =>
  queryOptions({
    queryKey: ['rule', id, 'failures'],
    queryFn: ({ signal }) => api('GET /projects/:id/rule-failures', { id }, { signal }),
  });

/** Whether a condition is right, and what it says. */
export const ruleCheckQuery = (id: string, when: string) =>
  queryOptions({
    queryKey: ['rule-check', id, when],
    queryFn: ({ signal }) => api('POST /projects/:id/rules/check', { id }, { body: { when }, signal }),
  });

/** What a condition would have matched in the last 30 days. */
export const ruleTestQuery = (id: string, when: string) =>
  queryOptions({
    queryKey: ['rule-test', id, when],
    staleTime: MINUTE_MS,
    queryFn: ({ signal }) => api('POST /projects/:id/rules/test', { id }, { body: { when }, signal }),
  });

export const namedListsQuery = (id: string) =>
  queryOptions({
    queryKey: ['named-lists', id],
    queryFn: ({ signal }) => api('GET /projects/:id/named-lists', { id }, { signal }),
  });
