import * as z from 'zod';
import {
  CAMPAIGN_THING_KINDS,
  type CampaignDetail,
  type CampaignPeople,
  type CampaignRequests,
  type CampaignsView,
  type CampaignView,
} from '../campaigns.ts';
import { text } from '../fields.ts';
import { json, routes, STREAM } from '../route.ts';

const Decision = z.strictObject({
  action: z.enum(['flag', 'block', 'none']),
  /** Only these things. All that are behind it if absent. */
  things: z
    .array(z.strictObject({ kind: z.enum(CAMPAIGN_THING_KINDS), name: text(300) }))
    .min(1)
    .max(200)
    .optional(),
  days: z.int().min(1).max(365).optional(),
  note: text(150).nullish(),
  bad: z.boolean().optional(),
});

/** People who belong together, and what is done about all of them. */
export const CAMPAIGN_ROUTES = routes({
  'GET /projects/:id/campaigns': {
    role: 'viewer',
    query: ['state', 'of', 'after', 'limit'],
    answer: json<CampaignsView>(),
    what: '[campaigns](dashboard.md#campaigns): people who belong together, those with the newest people first, with live numbers. `limit` to 200. `state=open` leaves out those that somebody acknowledged; `of`: only the one with this inbox, device, domain, network or mail host',
  },
  'GET /projects/:id/campaigns/:campaignId': {
    role: 'viewer',
    answer: json<CampaignDetail>(),
    what: 'one campaign, and the known good people who share one of its things (`hits`)',
  },
  'GET /projects/:id/campaigns/:campaignId/people': {
    role: 'viewer',
    query: ['after', 'limit'],
    answer: json<CampaignPeople>(),
    what: 'its people, the first ones first, with what each shares with others. `limit` to 200',
  },
  'GET /projects/:id/campaigns/:campaignId/requests': {
    role: 'viewer',
    query: ['allowed', 'after', 'limit'],
    answer: json<CampaignRequests>(),
    what: 'the request IDs of its people, so that you find their accounts. `allowed=true`: only requests that were answered with `allow`. `limit` to 1,000',
  },
  'GET /projects/:id/campaigns/:campaignId/requests.csv': {
    role: 'viewer',
    query: ['allowed'],
    answer: STREAM,
    what: 'all of them as a file',
  },
  'PATCH /projects/:id/campaigns/:campaignId': {
    role: 'analyst',
    body: z.strictObject({ acknowledged: z.boolean() }),
    answer: json<CampaignView>(),
    what: 'acknowledges it, or takes that back. Until then every page of the project tells of it',
  },
  'POST /projects/:id/campaigns/:campaignId/decide': {
    role: 'analyst',
    body: Decision,
    answer: json<CampaignView>(),
    what: 'one change, and one entry of the audit log: `action` `block` or `flag` puts what is behind it, or the `things` that you name, on the block list for `days` (30), and `bad: true` marks its people as bad, without those whose outcome is known. It also acknowledges it. People who join it later are not marked',
  },
  'POST /projects/:id/campaigns/:campaignId/undo': {
    role: 'analyst',
    body: z.strictObject({ at: z.int().exactOptional() }),
    answer: json<CampaignView>(),
    what: 'takes the newest decision back: its entries and its outcomes. With `at`, 409 if that one is not the newest any more',
  },
});
