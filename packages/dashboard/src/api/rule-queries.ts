import { queryOptions } from '@tanstack/react-query';
import { rangeParams, type TimeRange } from '../components/time-range.ts';
import { api } from './client.ts';
import { queryOf } from './query-of.ts';

const MINUTE_MS = 60_000;

/** A project’s rules, in the order in which they are asked. */
export const rulesQuery = (id: string) => queryOf('GET /projects/:id/rules', { id });

export const ruleFiguresQuery = (id: string) => ({
  ...queryOf('GET /projects/:id/rule-figures', { id }),
  refetchInterval: MINUTE_MS,
});

export const ruleQuery = (id: string, rule: string, range: TimeRange) =>
  queryOf('GET /projects/:id/rules/:rule', { id, rule, ...rangeParams(range) });

export const ruleVersionsQuery = (id: string, rule: string) =>
  queryOf('GET /projects/:id/rules/:rule/versions', { id, rule });

/** The rules whose evaluation failed in the last 30 days. */
export const ruleFailuresQuery = (id: string) => queryOf('GET /projects/:id/rule-failures', { id });

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

export const namedListsQuery = (id: string) => queryOf('GET /projects/:id/named-lists', { id });
