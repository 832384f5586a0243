import * as z from 'zod';
import { STEP_UPS } from '../../challenges.ts';
import { ACTIONS } from '../../checks.ts';
import { RULE_LIMITS, RULE_MODES, type Rule } from '../../rules.ts';
import {
  line,
  listEntry,
  listName,
  listValue,
  plainText,
  reason,
  ruleId,
  ruleList,
  time,
} from '../fields.ts';
import type { PolicyHistoryView, PolicyVersionDetail, PolicyVersionView } from '../policy-history.ts';
import type { RuleProposalsView } from '../proposals.ts';
import { json, NOTHING, routes } from '../route.ts';
import type {
  NamedListView,
  RuleCheck,
  RuleDetail,
  RuleFailures,
  RuleFiguresView,
  RuleTest,
  RuleVersionView,
  RuleView,
} from '../rules.ts';
import { SPAN_QUERY } from './span-query.ts';

const when = z.string().meta({ description: 'The condition, in CEL.', form: 'condition' });
export const RULE_FIELDS = {
  when,
  name: line(RULE_LIMITS.nameLength),
  then: z.enum(ACTIONS),
  mode: z.enum(RULE_MODES).optional(),
  /** With `flag`: what it asks of the person. */
  stepUp: z.enum(STEP_UPS).nullish(),
  note: line(RULE_LIMITS.noteLength).or(z.literal('')).nullish(),
  message: plainText(RULE_LIMITS.messageLength).nullish(),
  /** In milliseconds since 1970. */
  expiresAt: time.nullish(),
};
/** A rule as a whole, as it is kept. */
export const WholeRule = z
  .strictObject({
    ...RULE_FIELDS,
    id: ruleId,
    createdAt: z.number().exactOptional(),
    changedAt: z.number().exactOptional(),
    changedBy: z.string().exactOptional(),
  })
  .meta({ form: 'rule' });
export const Rules = ruleList(WholeRule) as unknown as z.ZodType<readonly Rule[], readonly Rule[]>;
const NewRule = z.strictObject({
  ...RULE_FIELDS,
  /** Made from the name if absent. */
  id: z.string().max(100).optional(),
  /** The rule that it is asked before; the last one if absent. */
  before: z.string().optional(),
  reason,
});
/** `null` takes a note, a message or an end away. */
const RulePart = z.strictObject(RULE_FIELDS).partial();
const expected = RulePart.extend({ when: z.string().optional() }).optional();
const RuleChange = RulePart.extend({ expected, reason });
const NamedListChange = z.strictObject({
  add: z.array(listEntry).optional(),
  remove: z.array(listValue).optional(),
});

/** Rules that people write, the lists that rules name, and the versions of a project’s policy and rules. */
export const RULE_ROUTES = routes({
  'GET /projects/:id/rules': {
    role: 'viewer',
    answer: json<RuleView[]>(),
    what: 'the [rules](rules.md), in the order in which they are tried',
  },
  'GET /projects/:id/rule-figures': {
    role: 'viewer',
    query: ['days'],
    answer: json<RuleFiguresView>(),
    what: 'how often each rule matched in the last `days` (30), when last, and the share of bad people among those whose outcome is known, with its interval',
  },
  'GET /projects/:id/rules/:rule': {
    role: 'viewer',
    query: SPAN_QUERY,
    answer: json<RuleDetail>(),
    what: 'one rule: how often it matched over time, and the outcomes of the people',
  },
  'POST /projects/:id/rules': {
    role: 'admin',
    body: NewRule,
    answer: json<Rule>(),
    what: 'creates a rule; `before` names the rule that it comes before, `reason` says why in the [history](rules.md#history-of-the-policy). A fault of the expression is a 400 with `line`, `column` and what was expected',
  },
  'PATCH /projects/:id/rules/:rule': {
    role: 'admin',
    body: RuleChange,
    answer: json<Rule>(),
    what: 'changes the fields that you send; `null` removes `note`, `message`, `stepUp` or `expiresAt`. `expected`: fields as you saw them; if one is different by now, nothing is changed and the answer is 409',
  },
  'DELETE /projects/:id/rules/:rule': {
    role: 'admin',
    query: ['reason'],
    answer: NOTHING,
    what: 'deletes a rule',
  },
  'POST /projects/:id/rules/:rule/move': {
    role: 'admin',
    body: z.strictObject({ before: z.string().nullable(), reason }),
    answer: json<Rule[]>(),
    what: 'moves the rule before another one; `null` moves it to the end',
  },
  'GET /projects/:id/rules/:rule/versions': {
    role: 'viewer',
    answer: json<RuleVersionView[]>(),
    what: 'the rule as it was saved each time, newest first, as far as the policy’s history goes: who, when and why',
  },
  'POST /projects/:id/rules/check': {
    role: 'viewer',
    body: z.strictObject({ when: z.string() }),
    answer: json<RuleCheck>(),
    what: 'whether a condition is right: its `fault` with line and column, and `warnings` of values that a fact never has',
  },
  'POST /projects/:id/rules/test': {
    role: 'viewer',
    body: z.strictObject({ when, days: z.int().min(1).max(365).optional() }),
    answer: json<RuleTest>(),
    what: 'what a condition would have matched in the log: `considered`, `matches`, how many of these people are `known`, `bad` and `good`, and `examples`. Nothing is saved',
  },
  'GET /projects/:id/rule-failures': {
    role: 'viewer',
    query: ['days'],
    answer: json<RuleFailures[]>(),
    what: 'the rules whose evaluation failed in the last `days` (30), how often, and when last, to the half hour. Such a rule did not match',
  },
  'GET /projects/:id/rule-proposals': {
    role: 'viewer',
    answer: json<RuleProposalsView>(),
    what: '[rules](rules.md#proposals) with one or two conditions that the outcomes support, with their results on older and on newer people',
  },
  'GET /projects/:id/named-lists': {
    role: 'viewer',
    answer: json<NamedListView[]>(),
    what: 'the lists that rules can name with `inList`',
  },
  'POST /projects/:id/named-lists': {
    role: 'admin',
    body: z.strictObject({ name: listName }),
    answer: json<NamedListView>(),
    what: 'creates an empty list',
  },
  'POST /projects/:id/named-lists/:name': {
    role: 'analyst',
    body: NamedListChange,
    answer: json<NamedListView>(),
    what: 'adds and removes entries, in the same forms as those of the allow and block lists',
  },
  'DELETE /projects/:id/named-lists/:name': {
    role: 'admin',
    answer: NOTHING,
    what: 'deletes a list that no rule names',
  },
  'GET /projects/:id/policy-history': {
    role: 'viewer',
    query: ['before', 'limit'],
    answer: json<PolicyHistoryView>(),
    what: 'the versions of the policy and its rules, newest first: who saved each, when, why, and what changed since the one before, in words. A project keeps the newest 200',
  },
  'GET /projects/:id/policy-history/:version': {
    role: 'viewer',
    query: ['against'],
    answer: json<PolicyVersionDetail>(),
    what: 'one version with its policy and rules, and what changed since the version `against` (without it: since the one before)',
  },
  'POST /projects/:id/policy-history/:version/restore': {
    role: 'admin',
    body: z.strictObject({ reason, inUse: z.int().exactOptional() }),
    answer: json<PolicyVersionView>(),
    what: 'saves that version’s policy and rules again, as a new version. With `inUse`, 409 if another version is in use than that one',
  },
});
