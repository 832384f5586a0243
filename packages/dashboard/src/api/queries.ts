import type {
  AccessToken,
  AuditView,
  HealthView,
  Invite,
  KeyView,
  LatelyShared,
  Member,
  OnboardingView,
  Overview,
  PasskeyView,
  PersonView,
  ProjectView,
  SafetyView,
  Session,
  SessionView,
  SetupState,
  SharingView,
  ValidationDetail,
  ValidationPage,
} from '@postern/contract/dashboard';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { ApiFailure, api, type Params, rememberCsrf, TIME_ZONE } from './client.ts';
import { reportSessionEnded } from './session-ended.ts';

const MINUTE_MS = 60_000;
const path = (id: string, rest = '') => `/projects/${encodeURIComponent(id)}${rest}`;

/** The person who is signed in, or `null`. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 5 * MINUTE_MS,
  queryFn: async ({ signal, client }): Promise<Session | null> => {
    try {
      const session = await api.get<Session>('/session', {}, signal);
      rememberCsrf(session.csrf);
      return session;
    } catch (error) {
      if (!(error instanceof ApiFailure && error.status === 401)) throw error;
      // While someone works, the page stays and a sign-in opens on top of it.
      const before = client.getQueryData<Session | null>(['session']) ?? null;
      if (before !== null) reportSessionEnded();
      return before;
    }
  },
});

export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => api.get<SetupState>('/setup', {}, signal),
});

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => api.get<ProjectView[]>('/projects', {}, signal),
});

export const projectQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id],
    queryFn: ({ signal }) => api.get<ProjectView>(path(id), {}, signal),
  });

export const keysQuery = (id: string) =>
  queryOptions({
    queryKey: ['keys', id],
    queryFn: ({ signal }) => api.get<KeyView[]>(path(id, '/keys'), {}, signal),
  });

export const overviewQuery = (id: string, days: number) =>
  queryOptions({
    queryKey: ['overview', id, days],
    refetchInterval: MINUTE_MS,
    queryFn: ({ signal }) => {
      const to = Date.now();
      return api.get<Overview>(
        path(id, '/overview'),
        { from: to - days * 24 * 60 * MINUTE_MS, to, timeZone: TIME_ZONE },
        signal,
      );
    },
  });

const ONBOARDING_MS = 3_000;

export const onboardingQuery = (id: string) =>
  queryOptions({
    queryKey: ['onboarding', id],
    staleTime: 0,
    queryFn: ({ signal }) => api.get<OnboardingView>(path(id, '/onboarding'), {}, signal),
    // Steps are done elsewhere: in the form’s page, in the backend. A finished list does not change any more.
    refetchInterval: ({ state }) => (state.data?.steps.every(({ done }) => done) ? false : ONBOARDING_MS),
  });

export const safetyQuery = (id: string) =>
  queryOptions({
    queryKey: ['safety', id],
    // Always fresh, because people come back from the page where they fixed something.
    staleTime: 0,
    queryFn: ({ signal }) => api.get<SafetyView>(path(id, '/safety'), {}, signal),
  });

export const validationsQuery = (id: string, filters: Params, limit = 50) =>
  infiniteQueryOptions({
    queryKey: ['validations', id, filters, limit],
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: ValidationPage) => last.next ?? undefined,
    queryFn: ({ pageParam, signal }) =>
      api.get<ValidationPage>(path(id, '/validations'), { ...filters, cursor: pageParam, limit }, signal),
  });

export const validationQuery = (id: string, validationId: string) =>
  queryOptions({
    queryKey: ['validation', id, validationId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      api.get<ValidationDetail>(path(id, `/validations/${encodeURIComponent(validationId)}`), {}, signal),
  });

export const sharingQuery = (id: string, kind: 'device' | 'inbox', hash: string) =>
  queryOptions({
    queryKey: ['sharing', id, kind, hash],
    queryFn: ({ signal }) =>
      api.get<SharingView>(
        path(id, `/${kind === 'device' ? 'devices' : 'inboxes'}/${encodeURIComponent(hash)}`),
        {},
        signal,
      ),
  });

export const personQuery = (id: string, inbox: string) =>
  queryOptions({
    queryKey: ['person', id, inbox],
    queryFn: ({ signal }) =>
      api.get<PersonView>(path(id, `/people/${encodeURIComponent(inbox)}`), {}, signal),
  });

export const sharedQuery = (id: string) =>
  queryOptions({
    queryKey: ['shared', id],
    queryFn: ({ signal }) => api.get<LatelyShared>(path(id, '/shared'), {}, signal),
  });

export const auditQuery = (filters: Params) =>
  infiniteQueryOptions({
    queryKey: ['audit', filters],
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last: AuditView) => last.next ?? undefined,
    queryFn: ({ pageParam, signal }) =>
      api.get<AuditView>('/audit', { ...filters, before: pageParam, limit: 50 }, signal),
  });

export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: ({ signal }) => api.get<Member[]>('/members', {}, signal),
});

export const invitesQuery = queryOptions({
  queryKey: ['invites'],
  queryFn: ({ signal }) => api.get<Invite[]>('/invites', {}, signal),
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => api.get<SessionView[]>('/sessions', {}, signal),
});

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => api.get<PasskeyView[]>('/passkeys', {}, signal),
});

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: ({ signal }) => api.get<AccessToken[]>('/tokens', {}, signal),
});

export const healthQuery = queryOptions({
  queryKey: ['health'],
  refetchInterval: 30_000,
  queryFn: ({ signal }) => api.get<HealthView>('/health', {}, signal),
});
