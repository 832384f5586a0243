import * as z from 'zod';
import type { ClaimReason } from '../../claims.ts';
import { HOOK_FORMAT_NAMES, type HookFormat, type OpenReason } from '../../hooks.ts';
import { line } from '../fields.ts';
import { json, NOTHING, routes } from '../route.ts';

const HookSecret = z.strictObject({
  /** The one that the sign-in server made; by default one is made. */
  secret: line(512).optional(),
});
const NewHook = HookSecret.extend({
  format: z.enum(HOOK_FORMAT_NAMES as [HookFormat, ...HookFormat[]]),
  name: line(100).optional(),
});

export interface HookView {
  id: string;
  projectId: string;
  format: HookFormat;
  name: string;
  url: string;
  createdAt: number;
  lastUsedAt: number | null;
  /** Until when an earlier secret is valid too. */
  previousSecretUntil: number | null;
  /** How many people it let in within 7 days without judging them, by the reason. */
  open: Partial<Record<OpenReason, number>>;
}
export interface NewHookView extends HookView {
  /** Only this answer contains it. */
  secret: string;
  /** What to paste where. */
  instructions: string;
}
/** What the sign-in server would get. */
export interface HookTestView {
  status: number;
  body: string;
  /** Why the person was not judged; `null` if they were. */
  open: string | null;
}

export interface ClaimView {
  id: string;
  claim: string;
  at: number;
  granted: boolean;
  /** Masked. */
  address: string;
  person: string;
  because: ClaimReason[];
  since: number;
  releasedAt: number | null;
}
export interface ClaimsView {
  /**
   * Of the last 30 days. `refusedGood`: people who were refused and turned out to be good customers afterwards.
   * `refusedBad`: people who were refused and are known to be bad.
   */
  summary: { claim: string; granted: number; refused: number; refusedGood: number; refusedBad: number }[];
  /** Each of these days, in UTC, with the moment it began; oldest first. */
  days: { at: number; granted: number; refused: number }[];
  rows: ClaimView[];
  next: string | null;
}

export const HOOK_ROUTES = routes({
  'GET /projects/:id/hooks': {
    role: 'viewer',
    answer: json<HookView[]>(),
    what: 'the hooks that sign-in servers call, without their secrets',
  },
  'POST /projects/:id/hooks': {
    role: 'admin',
    body: NewHook,
    answer: json<NewHookView>(),
    what: 'a new hook, with its address, its secret this once, and what to paste where',
  },
  'POST /projects/:id/hooks/:hookId/rotate': {
    role: 'admin',
    body: HookSecret,
    answer: json<NewHookView>(),
    what: 'another secret; the one before stays valid for a day',
  },
  'POST /projects/:id/hooks/:hookId/test': {
    role: 'admin',
    answer: json<HookTestView>(),
    what: 'calls the hook as its sign-in server would, with a test address; counts nothing',
  },
  'DELETE /projects/:id/hooks/:hookId': {
    role: 'admin',
    answer: NOTHING,
    what: 'deletes a hook; its address answers 404 from then on',
  },
  'GET /projects/:id/claims': {
    role: 'viewer',
    query: ['before'],
    answer: json<ClaimsView>(),
    what: 'what people claimed, such as trials, newest first, and how those who were refused turned out',
  },
  'POST /projects/:id/claims/:claimId/release': {
    role: 'admin',
    body: z.strictObject({ reason: line(200).optional() }),
    answer: NOTHING,
    what: 'gives a granted claim back, so that the person can claim it again',
  },
});
