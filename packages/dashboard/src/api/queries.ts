import { DAY_MS } from '@postern/contract';
import type { AuditView, Session, ValidationPage } from '@postern/contract/dashboard';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ApiFailure, api, type Params, rememberCsrf, TIME_ZONE } from './client.ts';
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

export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => api('GET /setup', {}, { signal }),
});

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => api('GET /projects', {}, { signal }),
});

export const projectQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id],
    queryFn: ({ signal }) => api('GET /projects/:id', { id }, { signal }),
  });

export const keysQuery = (id: string) =>
  queryOptions({
    queryKey: ['keys', id],
    // Whether a key is used decides what people do with it.
    refetchInterval: 15_000,
    queryFn: ({ signal }) => api('GET /projects/:id/keys', { id }, { signal }),
  });

export const hooksQuery = (id: string) =>
  queryOptions({
    queryKey: ['hooks', id],
    queryFn: ({ signal }) => api('GET /projects/:id/hooks', { id }, { signal }),
  });

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

export const safetyQuery = (id: string) =>
  queryOptions({
    queryKey: ['safety', id],
    // Always fresh, because people come back from the page where they fixed something.
    staleTime: 0,
    queryFn: ({ signal }) => api('GET /projects/:id/safety', { id }, { signal }),
  });

export const validationsQuery = (id: string, filters: Params, limit = 50) =>
  infiniteQueryOptions({
    queryKey: ['validations', id, filters, limit],
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: ValidationPage) => last.next ?? undefined,
    queryFn: ({ pageParam, signal }) =>
      api('GET /projects/:id/validations', { ...filters, id, cursor: pageParam, limit }, { signal }),
  });

export const logSummaryQuery = (id: string, filters: Params) =>
  queryOptions({
    queryKey: ['log-summary', id, filters],
    refetchInterval: 30_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api('GET /projects/:id/validations/summary', { ...filters, id }, { signal }),
  });

export const validationQuery = (id: string, validationId: string) =>
  queryOptions({
    queryKey: ['validation', id, validationId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      api('GET /projects/:id/validations/:validationId', { id, validationId }, { signal }),
  });

export const auditQuery = (filters: Params) =>
  infiniteQueryOptions({
    queryKey: ['audit', filters],
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: AuditView) => last.next ?? undefined,
    queryFn: ({ pageParam, signal }) =>
      api('GET /audit', { ...filters, before: pageParam, limit: 50 }, { signal }),
  });

export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: ({ signal }) => api('GET /members', {}, { signal }),
});

export const invitesQuery = queryOptions({
  queryKey: ['invites'],
  queryFn: ({ signal }) => api('GET /invites', {}, { signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => api('GET /sessions', {}, { signal }),
});

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: ({ signal }) => api('GET /tokens', {}, { signal }),
});

export const healthQuery = queryOptions({
  queryKey: ['health'],
  refetchInterval: 30_000,
  queryFn: ({ signal }) => api('GET /health', {}, { signal }),
});
