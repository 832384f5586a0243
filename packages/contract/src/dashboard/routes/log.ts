import * as z from 'zod';
import { blockEntry, listValue } from '../fields.ts';
import type { ForgetAnswer, ListsChanged, PersonExport, Reach } from '../people.ts';
import { json, NOTHING, routes, STREAM } from '../route.ts';
import type { SearchAnswer } from '../search.ts';
import { type DomainChecks, THING_KINDS, type ThingsView, type ThingView } from '../things.ts';
import { MAX_NOTE, type TimelineView } from '../timeline.ts';
import type { LogSummaryView, ValidationDetail, ValidationPage } from '../validations.ts';
import { FILTERS } from './filter-names.ts';
import { SPAN_QUERY } from './span-query.ts';

/** At most this many changes, with notes. */
const LIST_CHANGES_BYTES = 1024 * 1024;

/** `erase: false`, the default: only counted. */
const Erase = z.strictObject({ erase: z.boolean().optional(), keepClaims: z.boolean().optional() });

const note = z
  .string()
  .trim()
  .regex(new RegExp(`^[^]{1,${MAX_NOTE}}$`, 'u'))
  .meta({ expected: `a text with 1 to ${MAX_NOTE} characters` });
const list = z.enum(['allowList', 'blockList']);
const ListChange = z.strictObject({ list, add: blockEntry }).or(z.strictObject({ list, remove: listValue }));

/** The log and what it knows about people, devices, domains and networks. */
export const LOG_ROUTES = routes({
  'GET /projects/:id/validations': {
    role: 'viewer',
    query: [...FILTERS, 'limit', 'cursor'],
    answer: json<ValidationPage>(),
    what: 'the log, newest first. `domainPart` is part of a domain, `country` a code such as `NZ`. `recommendation`, `check`, `signal`, `domain`, `domainPart`, `network`, `country`, `asn` and `rule` (an ID, live or shadow) take several values with commas; `!` in front of a value excludes it. `limit` to 200. `signal=device_seen_<N>_times`, as it stands here, finds every number. `at` is when it was read: asked again with `from` a few seconds before that, it has what came since',
  },
  'GET /projects/:id/validations.csv': {
    role: 'viewer',
    query: [...FILTERS, 'columns'],
    answer: STREAM,
    what: 'the same filters, every row, with country, operator and the latest `good` or `bad` about the person. `columns`: only these, by the names of the first line, with commas',
  },
  'GET /projects/:id/validations/summary': {
    role: 'viewer',
    query: FILTERS,
    answer: json<LogSummaryView>(),
    what: 'the same filters: how many rows match, and how many with which answer over time (at most 60 `buckets`). Of a long log only the newest 100,000 rows are counted; `since` then says from when',
  },
  'GET /projects/:id/validations/:validationId': {
    role: 'viewer',
    answer: json<ValidationDetail>(),
    what: 'every check of one validation, with what history added, the latest `good` or `bad` about the person, and how many others came with the same things (`shared`)',
  },
  'POST /projects/:id/search': {
    role: 'viewer',
    body: z.strictObject({ text: z.string() }),
    answer: json<SearchAnswer>(),
    what: '`text`: an address, a domain, an IP address or range, a network’s number (`AS3320`) or part of its operator’s name, a request ID, a device, or what the dashboard shows of them: a masked address, the beginning of a hash. Answers what it is and where to find it; the service hashes the text where it must',
  },
  'GET /projects/:id/people/:inbox/export': {
    role: 'admin',
    answer: json<PersonExport>(),
    what: 'everything that the project stores about that person, as a file for them; the audit log notes it',
  },
  'POST /projects/:id/people/:inbox/erase': {
    role: 'admin',
    body: Erase,
    answer: json<ForgetAnswer>(),
    what: 'counts what the project keeps of that person; with `erase: true` erases it, with `keepClaims: true` all but bare hashes of what they claimed',
  },
  'GET /projects/:id/things': {
    role: 'viewer',
    query: ['kind', 'limit', ...FILTERS],
    answer: json<ThingsView>(),
    what: 'the filters of the log: what the matching validations of live keys came with, by `kind` (`person`, `device`, `domain`, `network`, `asn` or `country`): those with the most people, and how many of these are known to be good or bad. `limit` (50) to 1,000',
  },
  'GET /projects/:id/thing': {
    role: 'viewer',
    query: [...THING_KINDS, ...SPAN_QUERY],
    answer: json<ThingView>(),
    what: 'everything about one `person` or `device` (a hash), `domain`, `mailHost`, `network` (an IP address or range: its /24 or /48) or operator (`asn`): answers over a time span as in the overview, whom an entry would concern, when it was first seen, what it is linked with, its newest validations, the list entries that concern it',
  },
  'GET /projects/:id/domains/:domain/checks': {
    role: 'viewer',
    answer: json<DomainChecks>(),
    what: 'what the checks find about the domain now, without the project’s lists: its class, the sources that list it, its mail hosts. Asks DNS; counts towards the playground’s 300 an hour',
  },
  'POST /projects/:id/lists': {
    role: 'analyst',
    body: z.strictObject({ changes: z.array(ListChange).min(1).max(2_000) }),
    limit: LIST_CHANGES_BYTES,
    answer: json<ListsChanged>(),
    what: '`changes`: 1 to 2,000 of `{ list, add }` or `{ list, remove }`, with `list` `allowList` or `blockList`. An entry decides the answer, see [policies](concepts/policies.md#lists). Answers `undo`, which takes the change back',
  },
  'POST /projects/:id/reach': {
    role: 'viewer',
    body: z.strictObject({ values: z.array(listValue).min(1).max(2_000) }),
    limit: LIST_CHANGES_BYTES,
    answer: json<Reach>(),
    what: '`values`: 1 to 2,000 entries of a list. Whom they would have concerned in the last 30 days: how many `people`, how many of them known `good` and `bad`, and their `share` of the project’s sign-ups. Of more than 100,000 rows the newest count, and `since` says from when. An IP address or a small range counts as its network. Changes nothing',
  },
  'GET /projects/:id/timeline': {
    role: 'viewer',
    query: ['subject'],
    answer: json<TimelineView>(),
    what: 'notes and who decided what about the `subject`: `person:<hash>`, `device:<hash>`, a domain, a range of addresses or `AS<number>`. The newest 500 entries are kept',
  },
  'POST /projects/:id/timeline': {
    role: 'analyst',
    body: z.strictObject({ subject: z.string(), note }),
    answer: json<TimelineView>(),
    what: 'adds a `note` (up to 2,000 characters)',
  },
  'DELETE /projects/:id/timeline/:entryId': {
    role: 'analyst',
    query: ['subject'],
    answer: NOTHING,
    what: 'deletes a note of the `subject`',
  },
  'POST /projects/:id/forget': {
    role: 'admin',
    body: Erase.extend({ email: z.string().optional(), fingerprintHash: z.string().optional() }),
    answer: json<ForgetAnswer>(),
    what: 'counts what the project keeps of that inbox or device; with `erase: true` erases it, as `npx postern forget --yes` does',
  },
});
