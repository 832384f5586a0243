import type { BulkRequest } from '../bulk.ts';
import type { IncidentChangeRequest, IncidentsView, IncidentView } from '../incidents.ts';
import type {
  OutcomeReportView,
  OutcomesImport,
  OutcomesImported,
  ReviewDecided,
  ReviewDecisionRequest,
  ReviewsDecided,
  ReviewsDecisionRequest,
  ReviewView,
} from '../outcomes.ts';
import { body, json, routes, STREAM } from '../route.ts';
import type {
  PlaygroundAnswer,
  PlaygroundRequest,
  TimeMachineReport,
  TimeMachineRequest,
} from '../trials.ts';
import type {
  JudgementRequest,
  JudgementsRecorded,
  JudgementsUndo,
  JudgementsUndone,
} from '../validations.ts';
import { FILTERS } from './filter-names.ts';

/** Room for 1,000 IDs. */
const SELECTION_BYTES = 64 * 1024;
/** Room for what 1,000 decisions answer. */
const UNDO_BYTES = 1024 * 1024;

/** Trying things, deciding about people, and telling others about it. */
export const DECISION_ROUTES = routes({
  'POST /projects/:id/playground': {
    role: 'viewer',
    body: body<PlaygroundRequest>(
      {
        email: 'required',
        ip: 'optional',
        fingerprintHash: 'optional',
        userAgent: 'optional',
        locale: 'optional',
        policy: 'optional',
      },
      { ignoresOthers: true },
    ),
    answer: json<PlaygroundAnswer>(),
    what: 'the API’s answer; it uses no quota and is not stored; 300 an hour for each member',
  },
  'POST /projects/:id/bulk': {
    role: 'analyst',
    // Room for the most rows with the longest addresses.
    body: body<BulkRequest>({ rows: 'required' }, { limit: 4 * 1024 * 1024 }),
    answer: STREAM,
    what: '`rows`: 1 to 10,000 of `{ email, ip? }`. Checks them; see [below](#checking-many-addresses)',
  },
  'POST /projects/:id/time-machine': {
    role: 'viewer',
    body: body<TimeMachineRequest>(
      { policy: 'optional', rules: 'optional', days: 'optional' },
      { ignoresOthers: true },
    ),
    answer: json<TimeMachineReport>(),
    what: 'replays the log with another policy and other rules (`rules`: all of them, in order)',
  },
  'GET /projects/:id/outcomes': {
    role: 'viewer',
    query: ['days'],
    answer: json<OutcomeReportView>(),
    what: 'how accurate each signal and check was, whom the policy stopped rightly and wrongly, and suggestions',
  },
  'POST /projects/:id/outcomes/import': {
    role: 'analyst',
    body: body<OutcomesImport>({ file: 'required' }, { limit: 8 * 1024 * 1024 }),
    answer: json<OutcomesImported>(),
    what: '`file`: the text of a CSV file with the columns `requestId` or `email`, `outcome`, and optionally `reason` and `at`, as `postern outcomes import` reads it. A fault names its line, and nothing is recorded. Answers how many were `recorded`, and the `unknownLines` that match no validation',
  },
  'GET /projects/:id/review': {
    role: 'viewer',
    query: [...FILTERS, 'order', 'after', 'limit'],
    answer: json<ReviewView>(),
    what: '`order`: `oldest` or `riskiest`. What was flagged and waits for a decision, without what you passed on and without people about whom a newer `good` or `bad` is known; `limit=0` only counts. The filters of the log',
  },
  'POST /projects/:id/review/:validationId/decide': {
    role: 'analyst',
    body: body<ReviewDecisionRequest>({ decision: 'required', reason: 'optional' }),
    answer: json<ReviewDecided>(),
    what: '`decision`: `good`, `bad` or `passed`. Answers `decided` and `undo`. `passed` decides nothing: it hides the row from you for seven days, and the others still see it. 409 when it is already decided, by you or by somebody else',
  },
  'POST /projects/:id/review/decide': {
    role: 'analyst',
    body: body<ReviewsDecisionRequest>(
      { validations: 'required', decision: 'required', reason: 'optional' },
      { limit: SELECTION_BYTES },
    ),
    answer: json<ReviewsDecided>(),
    what: 'the same decision about 1 to 1,000 rows; answers how many were `decided`, how many `skipped` because somebody had decided them, and `undo`',
  },
  'POST /projects/:id/judge': {
    role: 'analyst',
    body: body<JudgementRequest>(
      { validations: 'required', outcome: 'required', reason: 'optional' },
      { limit: SELECTION_BYTES },
    ),
    answer: json<JudgementsRecorded>(),
    what: 'judges the people of 1 to 1,000 `validations`, also after a decision or a report: `outcome` `good`, `bad`, `wrong` (the opposite of what each was answered) or `unknown` (takes back what is known). An [outcome](outcomes.md) and a `review.decided` event for each person. Answers `good`, `bad` (people) and `undo`',
  },
  'POST /projects/:id/judge/undo': {
    role: 'analyst',
    body: body<JudgementsUndo>({ undo: 'required' }, { limit: UNDO_BYTES }),
    answer: json<JudgementsUndone>(),
    what: 'restores the judgement that people had before, unless something newer is known, and puts decided rows back into the queue; `undo` is the value from the answer to the decision. Answers `undone`',
  },
  'GET /projects/:id/incidents': {
    role: 'viewer',
    query: ['state', 'before', 'limit'],
    answer: json<IncidentsView>(),
    what: 'surges that followed each other, as incidents, newest first: state, its surges, and its domains and networks, with those that are behind it marked. `state=open` leaves out closed ones',
  },
  'PATCH /projects/:id/incidents/:incidentId': {
    role: 'analyst',
    body: body<IncidentChangeRequest>({
      acknowledged: 'optional',
      closed: 'optional',
    }),
    answer: json<IncidentView>(),
    what: 'acknowledges it or closes it. A surge after that is a new incident',
  },
});
