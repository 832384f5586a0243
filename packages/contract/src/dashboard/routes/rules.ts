import type { Rule } from '../../rules.ts';
import type { RuleProposalsView } from '../proposals.ts';
import { body, json, NOTHING, routes } from '../route.ts';
import type {
  NamedListChangeRequest,
  NamedListView,
  NewNamedListRequest,
  NewRuleRequest,
  RuleChangeRequest,
  RuleCheck,
  RuleCheckRequest,
  RuleDetail,
  RuleFailures,
  RuleFiguresView,
  RuleMoveRequest,
  RuleTest,
  RuleTestRequest,
  RuleVersionView,
  RuleView,
} from '../rules.ts';
import { SPAN_QUERY } from './span-query.ts';

/** Rules that people write, and the lists that rules name. */
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
    body: body<NewRuleRequest>({
      name: 'required',
      when: 'required',
      then: 'required',
      id: 'optional',
      mode: 'optional',
      note: 'optional',
      message: 'optional',
      expiresAt: 'optional',
      before: 'optional',
      reason: 'optional',
    }),
    answer: json<Rule>(),
    what: 'creates a rule; `before` names the rule that it comes before, `reason` says why in the [history](rules.md#history-of-the-policy). A fault of the expression is a 400 with `line`, `column` and what was expected',
  },
  'PATCH /projects/:id/rules/:rule': {
    role: 'admin',
    body: body<RuleChangeRequest>({
      name: 'optional',
      when: 'optional',
      then: 'optional',
      mode: 'optional',
      note: 'optional',
      message: 'optional',
      expiresAt: 'optional',
      reason: 'optional',
    }),
    answer: json<Rule>(),
    what: 'changes the fields that you send; `null` removes `note`, `message` or `expiresAt`',
  },
  'DELETE /projects/:id/rules/:rule': {
    role: 'admin',
    query: ['reason'],
    answer: NOTHING,
    what: 'deletes a rule',
  },
  'POST /projects/:id/rules/:rule/move': {
    role: 'admin',
    body: body<RuleMoveRequest>({ before: 'required', reason: 'optional' }),
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
    body: body<RuleCheckRequest>({ when: 'required' }),
    answer: json<RuleCheck>(),
    what: 'whether a condition is right: its `fault` with line and column, and `warnings` of values that a fact never has',
  },
  'POST /projects/:id/rules/test': {
    role: 'viewer',
    body: body<RuleTestRequest>({ when: 'required', days: 'optional' }),
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
    body: body<NewNamedListRequest>({ name: 'required' }),
    answer: json<NamedListView>(),
    what: 'creates an empty list',
  },
  'POST /projects/:id/named-lists/:name': {
    role: 'analyst',
    body: body<NamedListChangeRequest>({ add: 'optional', remove: 'optional' }),
    answer: json<NamedListView>(),
    what: 'adds and removes entries, in the same forms as those of the allow and block lists',
  },
  'DELETE /projects/:id/named-lists/:name': {
    role: 'admin',
    answer: NOTHING,
    what: 'deletes a list that no rule names',
  },
});
