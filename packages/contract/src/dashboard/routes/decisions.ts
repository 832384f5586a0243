import * as z from 'zod';
import { ACTIONS } from '../../checks.ts';
import { MAX_OUTCOME_REASON } from '../../outcomes.ts';
import { BULK_MAX_ROWS } from '../bulk.ts';
import { readLater, text } from '../fields.ts';
import type {
  OutcomeReportView,
  OutcomesImported,
  ReviewDecided,
  ReviewsDecided,
  ReviewView,
} from '../outcomes.ts';
import { json, routes, STREAM } from '../route.ts';
import { PolicyChange } from '../setting-schema.ts';
import { THING_KINDS } from '../things.ts';
import type { PlaygroundAnswer, TimeMachineReport } from '../trials.ts';
import type { JudgementsRecorded, JudgementsUndone, JudgementUndo } from '../validations.ts';
import { FILTERS } from './filter-names.ts';
import { Rules } from './rules.ts';

/** Room for 1,000 IDs. */
const SELECTION_BYTES = 64 * 1024;
/** Room for what 1,000 decisions answer. */
const UNDO_BYTES = 1024 * 1024;

const Playground = z.strictObject({
  email: readLater<string>().optional(),
  ip: readLater<string>().optional(),
  fingerprintHash: readLater<string>().optional(),
  userAgent: readLater<string>().optional(),
  /** The language of the message. */
  locale: readLater<string>().optional(),
  /** An edited policy to try. */
  policy: PolicyChange.optional(),
});
/** A line of a list. The service reads the address. */
const BulkLine = z.object({
  email: z.string().max(400),
  ip: z.string().max(400).trim().default(''),
});
const TimeMachine = z.strictObject({
  policy: PolicyChange.optional(),
  /** All rules, edited. Those of the project if absent. */
  rules: Rules.optional(),
  days: z.int().min(1).max(365).optional(),
});
const ReviewDecision = z.strictObject({
  /** `passed` leaves the row to the other members, `waiting` takes that back. */
  decision: z.enum(['good', 'bad', 'passed', 'waiting']),
  reason: text(MAX_OUTCOME_REASON).nullish(),
});
const selection = z.array(text(100)).min(1).max(1_000);
const Judgement = z.strictObject({
  /** IDs of validations of live keys. */
  validations: selection.optional(),
  /** Instead: everybody who came with one of these things in the last 30 days, the newest 1,000. */
  of: z
    .strictObject({
      kind: z.enum(THING_KINDS),
      names: z.array(text(300)).min(1).max(1_000),
      /** Only people whose newest answer was one of these. */
      answers: z.array(z.enum(ACTIONS)).optional(),
    })
    .optional(),
  /** `wrong`: the opposite of the answer: `good` if it was flag or block, `bad` if it was allow. */
  outcome: z.enum(['good', 'bad', 'wrong', 'unknown']),
  reason: text(MAX_OUTCOME_REASON).nullish(),
});
const JudgementSaid = z.strictObject({
  outcome: z.enum(['good', 'bad']),
  reason: text(256).nullable(),
  at: z.int().min(0),
});
/** What a decision answered. */
const Undo: z.ZodType<JudgementUndo> = z.strictObject({
  inbox: text(100),
  judgement: JudgementSaid,
  previous: JudgementSaid.nullable(),
  validations: z.array(text(100)).max(100),
});

/** Trying things, deciding about people, and telling others about it. */
export const DECISION_ROUTES = routes({
  'POST /projects/:id/playground': {
    role: 'viewer',
    body: Playground,
    answer: json<PlaygroundAnswer>(),
    what: 'the API’s answer; it uses no quota and is not stored; 300 an hour for each member',
  },
  'POST /projects/:id/bulk': {
    role: 'analyst',
    // Room for the most rows with the longest addresses.
    body: z.strictObject({ rows: z.array(BulkLine).min(1).max(BULK_MAX_ROWS) }),
    limit: 4 * 1024 * 1024,
    answer: STREAM,
    what: '`rows`: 1 to 10,000 of `{ email, ip? }`. Checks them; see [below](#checking-many-addresses)',
  },
  'POST /projects/:id/time-machine': {
    role: 'viewer',
    body: TimeMachine,
    answer: json<TimeMachineReport>(),
    what: 'replays the log with another policy and other rules (`rules`: all of them, in order)',
  },
  'GET /projects/:id/outcomes': {
    role: 'viewer',
    query: ['days'],
    answer: json<OutcomeReportView>(),
    what: 'how accurate each signal and check was, and whom the policy stopped rightly and wrongly',
  },
  'POST /projects/:id/outcomes/import': {
    role: 'analyst',
    body: z.strictObject({ file: z.string().meta({ expected: 'the text of a CSV file' }) }),
    limit: 8 * 1024 * 1024,
    answer: json<OutcomesImported>(),
    what: '`file`: the text of a CSV file with the columns `requestId` or `email`, `outcome`, and optionally `reason` and `at`, as `postern outcomes import` reads it. A fault names its line, and nothing is recorded. Answers how many were `recorded`, and the `unknownLines` that match no validation',
  },
  'GET /projects/:id/review': {
    role: 'viewer',
    query: [...FILTERS, 'order', 'after', 'limit', 'passed'],
    answer: json<ReviewView>(),
    what: '`order`: `oldest` or `riskiest`. What was flagged and waits for a decision, without what you passed on and without people about whom a newer `good` or `bad` is known; `limit=0` only counts, `passed=1` shows only what you passed on. The filters of the log',
  },
  'POST /projects/:id/review/:validationId/decide': {
    role: 'analyst',
    body: ReviewDecision,
    answer: json<ReviewDecided>(),
    what: '`decision`: `good`, `bad`, `passed` or `waiting`. Answers `decided` and `undo`. `passed` decides nothing: it hides the row from you for seven days, and the others still see it; `waiting` takes that back. 409 when it is already decided, by you or by somebody else',
  },
  'POST /projects/:id/review/decide': {
    role: 'analyst',
    body: ReviewDecision.extend({ validations: selection }),
    limit: SELECTION_BYTES,
    answer: json<ReviewsDecided>(),
    what: 'the same decision about 1 to 1,000 rows; answers how many were `decided`, how many `skipped` because somebody had decided them, and `undo`',
  },
  'POST /projects/:id/judge': {
    role: 'analyst',
    body: Judgement,
    limit: SELECTION_BYTES,
    answer: json<JudgementsRecorded>(),
    what: 'judges the people of 1 to 1,000 `validations`, or `of` some things (`kind`, `names`; the newest 1,000 people of the last 30 days, only with these `answers`), also after a decision or a report: `outcome` `good`, `bad`, `wrong` (the opposite of what each was answered) or `unknown` (takes back what is known). An [outcome](outcomes.md) and a `review.decided` event for each person. Answers `good`, `bad` (people) and `undo`',
  },
  'POST /projects/:id/judge/undo': {
    role: 'analyst',
    body: z.strictObject({ undo: z.array(Undo).min(1).max(1_000) }),
    limit: UNDO_BYTES,
    answer: json<JudgementsUndone>(),
    what: 'restores the judgement that people had before, unless something newer is known, and puts decided rows back into the queue; `undo` is the value from the answer to the decision. Answers `undone`',
  },
});
