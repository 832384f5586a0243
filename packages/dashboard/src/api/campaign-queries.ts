import type { CampaignDecisionRequest, CampaignsView, CampaignView } from '@postern/contract/dashboard';
import { showToast } from '../components/toasts.tsx';
import { api } from './client.ts';
import { pagesOf, queryOf } from './query-of.ts';
import { useChange } from './use-change.ts';

const REFRESHED_MS = 30_000;

/** Campaigns that no member has acknowledged, for the navigation and for the banner on every page. */
export const openCampaignsQuery = (id: string) => ({
  ...queryOf('GET /projects/:id/campaigns', { id, state: 'open' }),
  refetchInterval: REFRESHED_MS,
  select: ({ rows }: CampaignsView) => rows,
});

export const campaignsQuery = (id: string) => ({
  ...pagesOf('GET /projects/:id/campaigns', 'after', { id, limit: 50 }),
  refetchInterval: REFRESHED_MS,
});

export const campaignQuery = (id: string, campaignId: string) => ({
  ...queryOf('GET /projects/:id/campaigns/:campaignId', { id, campaignId }),
  refetchInterval: REFRESHED_MS,
});

export const campaignPeopleQuery = (id: string, campaignId: string) =>
  pagesOf('GET /projects/:id/campaigns/:campaignId/people', 'after', { id, campaignId });

/** The campaign with this inbox, device, domain, network or mail host, if there is one. */
export const campaignOfQuery = (id: string, of: string) => ({
  ...queryOf('GET /projects/:id/campaigns', { id, of }),
  select: ({ rows }: CampaignsView) => rows[0] ?? null,
});

const CAMPAIGN = '/projects/:id/campaigns/:campaignId';
const TAKEN_BACK = 'The decision is taken back, with its entries and its outcomes.';

/** Takes back the decision of that time. Refused if a newer one was made. */
export const undoCampaign = (asked: { id: string; campaignId: string }, at: number | undefined) =>
  api(`POST ${CAMPAIGN}/undo`, asked, { body: at === undefined ? {} : { at } }).then(() => TAKEN_BACK);

/** What members do about a campaign. A decision can be undone for ten seconds here, and later on its page. */
export function useCampaignChanges(id: string, campaignId: string) {
  const asked = { id, campaignId };
  const takeBack = (at: number | undefined) => undoCampaign(asked, at);
  return {
    acknowledge: useChange({
      send: (acknowledged: boolean) => api(`PATCH ${CAMPAIGN}`, asked, { body: { acknowledged } }),
    }),
    undo: useChange({ send: (at: number | undefined) => takeBack(at), onDone: (said) => showToast(said) }),
    decide: useChange({
      send: (body: CampaignDecisionRequest) => api(`POST ${CAMPAIGN}/decide`, asked, { body }),
      inline: true,
      undo: ({ decisions }) => {
        const last = decisions.at(-1);
        return last && { text: decidedText(last), back: () => takeBack(last.at) };
      },
    }),
  };
}

const DONE = { block: 'blocked', flag: 'flagged' } as const;

function decidedText({ action, entries, bad }: CampaignView['decisions'][number]): string {
  const listed =
    action === 'none' ? [] : [`${entries.length} things behind it are ${DONE[action]} from now on`];
  return `${[...listed, ...(bad ? ['its people count as bad'] : [])].join('; ')}.`.replace(/^i/, 'I');
}
