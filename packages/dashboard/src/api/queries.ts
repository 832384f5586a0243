import { DAY_MS } from '@postern/contract';
import type { Session } from '@postern/contract/dashboard';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ApiFailure, api, type Params, rememberCsrf, TIME_ZONE } from './client.ts';
import { pagesOf, queryOf } from './query-of.ts';
import { reportSessionEnded } from './session-ended.ts';

const MINUTE_MS = 60_000;

/** The person who is signed in, or `null`. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 5 * MINUTE_MS,
  queryFn: async ({ signal, client }): Promise<Session | null> => {
    try {
      const session = await api('GET /session', {}, { signal });
      rememberCsrf(session.csrf);
      return session;
    } catch (error) {
      if (!(error instanceof ApiFailure && error.status === 401)) throw error;
      // While someone works, the page stays and a sign-in opens on top of it.
      const before = client.getQueryData<Session | null>(['session']) ?? null;
      if (before !== null) reportSessionEnded(false);
      return before;
    }
  },
});

export const setupQuery = queryOf('GET /setup', {});

export const projectsQuery = queryOf('GET /projects', {});

export const projectQuery = (id: string) => queryOf('GET /projects/:id', { id });

// Whether a key is used decides what people do with it.
export const keysQuery = (id: string) => ({
  ...queryOf('GET /projects/:id/keys', { id }),
  refetchInterval: 15_000,
});

export const hooksQuery = (id: string) => queryOf('GET /projects/:id/hooks', { id });

export const overviewQuery = (id: string, days: number) =>
  queryOptions({
    queryKey: ['overview', id, days],
    refetchInterval: MINUTE_MS,
    queryFn: ({ signal }) => {
      const to = Date.now();
      return api(
        'GET /projects/:id/overview',
        { id, from: to - days * DAY_MS, to, timeZone: TIME_ZONE },
        { signal },
      );
    },
  });

const ONBOARDING_MS = 3_000;

export const onboardingQuery = (id: string) =>
  queryOptions({
    queryKey: ['onboarding', id],
    staleTime: 0,
    queryFn: ({ signal }) => api('GET /projects/:id/onboarding', { id }, { signal }),
    // Steps are done elsewhere: in the form’s page, in the backend. A finished list does not change any more.
    refetchInterval: ({ state }) => (state.data?.steps.every(({ done }) => done) ? false : ONBOARDING_MS),
  });

// Always fresh, because people come back from the page where they fixed something.
export const safetyQuery = (id: string) => ({ ...queryOf('GET /projects/:id/safety', { id }), staleTime: 0 });

export const validationsQuery = (id: string, filters: Params, limit = 50) =>
  pagesOf('GET /projects/:id/validations', 'cursor', { ...filters, id, limit });

export const logSummaryQuery = (id: string, filters: Params) => ({
  ...queryOf('GET /projects/:id/validations/summary', { ...filters, id }),
  refetchInterval: 30_000,
  placeholderData: keepPreviousData,
});

export const validationQuery = (id: string, validationId: string) => ({
  ...queryOf('GET /projects/:id/validations/:validationId', { id, validationId }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const auditQuery = (filters: Params) => pagesOf('GET /audit', 'before', { ...filters, limit: 50 });

export const membersQuery = queryOf('GET /members', {});

export const invitesQuery = queryOf('GET /invites', {});

export const sessionsQuery = queryOf('GET /sessions', {});

export const tokensQuery = queryOf('GET /tokens', {});

export const healthQuery = { ...queryOf('GET /health', {}), refetchInterval: 30_000 };
