import type {
  CampaignDecisionRequest,
  CampaignPeople,
  CampaignsView,
  CampaignView,
} from '@postern/contract/dashboard';
import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query';
import { showToast, showUndo } from '../components/toasts.tsx';
import { api, failureText } from './client.ts';
import { shownError } from './use-change.ts';
import { useReadAgain } from './use-read-again.ts';

const REFRESHED_MS = 30_000;

/** Campaigns that no member has acknowledged, for the navigation and for the banner on every page. */
export const openCampaignsQuery = (id: string) =>
  queryOptions({
    queryKey: ['campaigns', id, 'open'],
    refetchInterval: REFRESHED_MS,
    queryFn: async ({ signal }) =>
      (await api('GET /projects/:id/campaigns', { id, state: 'open' }, { signal })).rows,
  });

export const campaignsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['campaigns', id, 'all'],
    refetchInterval: REFRESHED_MS,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: CampaignsView) => next ?? undefined,
    queryFn: ({ pageParam, signal }) =>
      api('GET /projects/:id/campaigns', { id, after: pageParam, limit: 50 }, { signal }),
  });

export const campaignQuery = (id: string, campaignId: string) =>
  queryOptions({
    queryKey: ['campaigns', id, 'one', campaignId],
    refetchInterval: REFRESHED_MS,
    queryFn: ({ signal }) => api('GET /projects/:id/campaigns/:campaignId', { id, campaignId }, { signal }),
  });

export const campaignPeopleQuery = (id: string, campaignId: string) =>
  infiniteQueryOptions({
    queryKey: ['campaigns', id, 'people', campaignId],
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: CampaignPeople) => last.next ?? undefined,
    queryFn: ({ pageParam, signal }) =>
      api('GET /projects/:id/campaigns/:campaignId/people', { id, campaignId, after: pageParam }, { signal }),
  });

/** The campaign with this inbox, device, domain, network or mail host, if there is one. */
export const campaignOfQuery = (id: string, of: string) =>
  queryOptions({
    queryKey: ['campaigns', id, 'of', of],
    queryFn: async ({ signal }) => {
      const { rows } = await api('GET /projects/:id/campaigns', { id, of }, { signal });
      return rows[0] ?? null;
    },
  });

/** What members do about a campaign. A decision can be undone for ten seconds here, and later on its page. */
export function useCampaignChanges(id: string, campaignId: string) {
  const asked = { id, campaignId };
  const readAgain = useReadAgain();
  const acknowledge = useMutation({
    mutationFn: (acknowledged: boolean) =>
      api('PATCH /projects/:id/campaigns/:campaignId', asked, { body: { acknowledged } }),
    onSuccess: readAgain,
  });
  const undo = useMutation({
    meta: { quiet: true },
    mutationFn: () => api('POST /projects/:id/campaigns/:campaignId/undo', asked),
    onSuccess: async () => {
      showToast('The decision is taken back, with its entries and its outcomes.');
      await readAgain();
    },
    onError: (error) => showToast(failureText(error), true),
  });
  const decide = useMutation({
    meta: { quiet: true },
    mutationFn: (body: CampaignDecisionRequest) =>
      api('POST /projects/:id/campaigns/:campaignId/decide', asked, { body }),
    onSuccess: async (campaign: CampaignView) => {
      const last = campaign.decisions.at(-1);
      if (last !== undefined) showUndo(decidedText(last), () => undo.mutate());
      await readAgain();
    },
  });
  return { acknowledge, undo, decide: { ...decide, error: shownError(decide.error) } };
}

const DONE = { block: 'blocked', flag: 'flagged' } as const;

function decidedText({ action, entries, bad }: CampaignView['decisions'][number]): string {
  const listed =
    action === 'none' ? [] : [`${entries.length} things behind it are ${DONE[action]} from now on`];
  return `${[...listed, ...(bad ? ['its people count as bad'] : [])].join('; ')}.`.replace(/^i/, 'I');
}
