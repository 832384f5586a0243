import { DAY_MS, HOOK_FORMAT_NAMES, WEBHOOK_EVENT_NAMES } from '@postern/contract';
import type { ClaimsView } from '@postern/contract/dashboard';
import { isRulePreset, RULE_PRESETS } from '@postern/contract/rule-presets';
import type { Config } from '@postern/service/config';
import type { Administration } from '@postern/service/operations/administration';
import type { CommandContext } from './command-context.ts';
import { parseDuration } from './duration.ts';
import { ExpectedError, UsageError } from './failure.ts';
import type { CommandOption, Given, OperationCommand } from './run-operation-command.ts';

const project: CommandOption = { flags: '--project <id>', to: 'id', help: 'the project', required: true };
const inProject = { ...project, required: false, help: 'only those of this project (default: all projects)' };
const reason: CommandOption = { flags: '--reason <text>', help: 'why, for the history of the policy' };

const end = (text: string, { now }: CommandContext) =>
  text === 'never' ? null : now() + parseDuration('--expires-in', text);
const expires: CommandOption = {
  flags: '--expires-in <time>',
  to: 'expiresAt',
  help: 'when it ends, such as 12h or 30d; "never" removes the end',
  read: end,
};
const lifetime: CommandOption = {
  flags: '--expires-in <time>',
  to: 'expiresInDays',
  help: 'lifetime, such as 90d or 12h; by default a new key does not expire, and another secret lasts as long',
  read: (text) => parseDuration('--expires-in', text) / DAY_MS,
};

const KEYS: readonly OperationCommand[] = [
  {
    name: 'create',
    route: 'POST /projects/:id/keys',
    summary: 'create a key and print its secret, this once',
    options: [
      project,
      {
        flags: '--type <client|server>',
        help: 'client: for pages and apps; server: for backends',
        required: true,
      },
      { flags: '--mode <live|test>', help: 'test: same answers, no quota, no memory (default: live)' },
      { flags: '--name <name>', help: 'display name' },
      lifetime,
    ],
    example: 'postern key create --project shop --type server --expires-in 90d --json',
  },
  {
    name: 'list',
    route: 'GET /projects/:id/keys',
    summary: 'show the keys, their age, when they were last used and which to rotate; never their secrets',
    options: [inProject],
    columns: [
      'id',
      'projectId',
      'type',
      'mode',
      'name',
      'hint',
      'ageDays',
      'lastUsedAt',
      'status',
      'rotationDue',
    ],
  },
  {
    name: 'regenerate <keyId>',
    route: 'POST /keys/:keyId/regenerate',
    summary: 'give a key a new secret; the old one stops working at once',
    options: [lifetime],
  },
  { name: 'revoke <keyId>', route: 'POST /keys/:keyId/revoke', summary: 'revoke a key at once and for good' },
];

const WEBHOOKS: readonly OperationCommand[] = [
  {
    name: 'create',
    route: 'POST /projects/:id/webhooks',
    summary: 'send a project’s events to a URL; prints the webhook’s secret, this once',
    options: [
      project,
      { flags: '--url <url>', help: 'an http or https URL, or mailto: and an address', required: true },
      { flags: '--name <name>', help: 'display name' },
      {
        flags: '--event <name>',
        to: 'events',
        help: `one event to send; repeatable (default: all). ${WEBHOOK_EVENT_NAMES.join(', ')}`,
        repeatable: true,
      },
      { flags: '--format <standard|slack|discord>', help: 'the format of the body' },
    ],
    example:
      'postern webhook create --project shop --url https://shop.example/hooks --event validation.blocked',
    after: ({ url }, context, config) => warnAboutAddress(String(url), config, context),
  },
  {
    name: 'list',
    route: 'GET /projects/:id/webhooks',
    summary: 'show the webhooks, never their secrets',
    options: [inProject],
    columns: ['id', 'projectId', 'name', 'url', 'format', 'events', 'failingSince', 'disabledAt'],
  },
  {
    name: 'delete <webhookId>',
    route: 'DELETE /webhooks/:webhookId',
    summary: 'delete a webhook and its deliveries',
  },
  {
    name: 'rotate <webhookId>',
    route: 'POST /webhooks/:webhookId/rotate',
    summary: 'give a webhook a new secret; the old one stays valid for a day',
  },
  {
    name: 'ping <webhookId>',
    route: 'POST /webhooks/:webhookId/ping',
    summary: 'send a test.ping event to a webhook',
  },
  {
    name: 'deliveries <webhookId>',
    route: 'GET /webhooks/:webhookId/deliveries',
    summary: 'show the deliveries of a webhook and their results, newest first',
    options: [{ flags: '--limit <number>', help: 'at most this many (default: 50)' }],
    pick: 'rows',
    columns: ['id', 'type', 'at', 'state', 'attempts', 'status', 'error', 'durationMs'],
  },
  {
    name: 'resend <deliveryId>',
    route: 'POST /projects/:id/webhooks/:webhookId/deliveries/:deliveryId/resend',
    summary: 'send one delivery again',
    async prepare({ deliveryId = '' }, { store }) {
      // The ID ends with the webhook’s.
      const webhookId = String(deliveryId).slice(String(deliveryId).lastIndexOf('-') + 1);
      const webhook = await store.events.webhooks.find(webhookId);
      if (webhook === undefined) throw new ExpectedError(`There is no delivery '${deliveryId}'.`);
      return { id: webhook.projectId, webhookId, deliveryId };
    },
  },
];

const ofHook = async ({ hookId = '', ...given }: Given, { store }: Administration): Promise<Given> => {
  const key = await store.keys.find(String(hookId));
  if (key === undefined) throw new ExpectedError(`There is no hook '${hookId}'.`);
  return { ...given, hookId, id: key.projectId };
};
const hookSecret: CommandOption = {
  flags: '--secret <text>',
  help: 'the secret that the sign-in server shows; by default one is made',
};

const HOOKS: readonly OperationCommand[] = [
  {
    name: 'create',
    route: 'POST /projects/:id/hooks',
    summary:
      'create a hook for a sign-in server; prints its address, its secret, this once, and what to paste where',
    options: [
      project,
      { flags: '--format <name>', help: HOOK_FORMAT_NAMES.join(', '), required: true },
      { flags: '--name <name>', help: 'display name' },
      hookSecret,
    ],
    example: 'postern hook create --project shop --format supabase',
  },
  {
    name: 'list',
    route: 'GET /projects/:id/hooks',
    summary: 'show the hooks, never their secrets',
    options: [inProject],
    columns: ['id', 'projectId', 'format', 'name', 'lastUsedAt'],
  },
  {
    name: 'rotate <hookId>',
    route: 'POST /projects/:id/hooks/:hookId/rotate',
    summary: 'give a hook another secret; the old one stays valid for a day',
    options: [hookSecret],
    prepare: ofHook,
  },
  {
    name: 'delete <hookId>',
    route: 'DELETE /projects/:id/hooks/:hookId',
    summary: 'delete a hook; its address answers 404 from then on. Take it out of the sign-in server first',
    prepare: ofHook,
  },
];

const CLAIMS: readonly OperationCommand[] = [
  {
    name: 'list',
    route: 'GET /projects/:id/claims',
    summary: 'show what people claimed, such as trials, newest first, and what happened in 30 days',
    options: [project],
    columns: ['id', 'claim', 'address', 'granted', 'because', 'at', 'releasedAt'],
    after: async ({ summary }, { terminal }) => {
      for (const { claim, granted, refused, refusedGood, refusedBad } of summary as ClaimsView['summary'])
        terminal.error(
          `${claim}: ${granted} granted, ${refused} refused in 30 days; of those refused ${refusedGood} are good customers, ${refusedBad} bad\n`,
        );
    },
  },
  {
    name: 'release <claimId>',
    route: 'POST /projects/:id/claims/:claimId/release',
    summary: 'give a granted claim back, so that the person can claim it again',
    options: [project, { ...reason, help: 'why, for the audit log' }],
  },
];

const rule: readonly CommandOption[] = [
  project,
  { flags: '--name <text>', help: 'what people call the rule' },
  { flags: '--when <expression>', help: 'the condition, in CEL; docs/rules.md lists the facts' },
  { flags: '--then <allow|flag|block>', help: 'the answer' },
  { flags: '--mode <live|shadow>', help: 'a shadow rule changes no answer; it is only counted' },
  {
    flags: '--step-up <none|code|work|vendor>',
    help: 'with flag: what it asks of the person (default: what the policy says)',
  },
  { flags: '--note <text>', help: 'why the rule exists; "" removes it' },
  { flags: '--message <text>', help: 'what a sign-up form shows the person; "" removes it' },
  expires,
  reason,
];
const ruleColumns = ['id', 'name', 'then', 'mode', 'when'];

const RULES: readonly OperationCommand[] = [
  {
    name: 'create',
    route: 'POST /projects/:id/rules',
    summary: 'write a rule that decides after the project’s lists and before the checks',
    options: [
      ...rule,
      { flags: '--preset <id>', help: 'begin with a ready-made rule, in shadow; docs/rules.md lists them' },
      { flags: '--id <id>', to: 'ruleId', help: '1 to 40 of a-z, 0-9 and _ (default: made from the name)' },
      { flags: '--before <id>', help: 'the rule that it comes before (default: it is the last one)' },
    ],
    example: `postern rule create --project shop --name "New hosting sign-ups" --when 'ip.kind == "hosting"' --then block --mode shadow`,
    prepare: async (given) => withPreset(given),
    after: warnAboutRule,
  },
  {
    name: 'list',
    route: 'GET /projects/:id/rules',
    summary: 'show a project’s rules, in the order in which they are tried',
    options: [project],
    columns: ruleColumns,
  },
  {
    name: 'show <rule>',
    route: 'GET /projects/:id/rules/:rule',
    summary: 'show one rule',
    options: [project],
    pick: 'rule',
  },
  {
    name: 'update <rule>',
    route: 'PATCH /projects/:id/rules/:rule',
    summary: 'change a rule',
    options: rule,
    after: warnAboutRule,
  },
  {
    name: 'delete <rule>',
    route: 'DELETE /projects/:id/rules/:rule',
    summary: 'delete a rule',
    options: [project, reason],
  },
  {
    name: 'move <rule>',
    route: 'POST /projects/:id/rules/:rule/move',
    summary: 'move a rule up or down in the order',
    options: [
      project,
      { flags: '--before <id>', help: 'the rule that it comes before (default: it becomes the last one)' },
      reason,
    ],
    prepare: async (given) => ({ before: null, ...given }),
    columns: ruleColumns,
  },
  {
    name: 'test',
    route: 'POST /projects/:id/rules/test',
    summary: 'show what a condition would have matched in the log; nothing is saved',
    options: [
      project,
      { flags: '--when <expression>', help: 'the condition', required: true },
      {
        flags: '--days <number>',
        help: 'how many days of the log (default: 30)',
        read: wholeNumber('--days'),
      },
    ],
    example: `postern rule test --project shop --when 'device.reused && ip.kind == "hosting"' --days 90`,
  },
];

const OUTCOMES: readonly OperationCommand[] = [
  {
    name: 'report',
    route: 'GET /projects/:id/outcomes',
    summary: 'show how well each signal and check tells bad people from good ones',
    options: [
      project,
      {
        flags: '--days <number>',
        help: 'how many days to look back (default: 90)',
        read: wholeNumber('--days'),
      },
    ],
    columns: ['kind', 'name', 'people', 'known', 'bad', 'share', 'low', 'high', 'lift'],
  },
];

/** The commands that are operations of the dashboard’s API under other names. `postern api` calls all others. */
export const OPERATION_COMMANDS = {
  key: KEYS,
  hook: HOOKS,
  claim: CLAIMS,
  webhook: WEBHOOKS,
  rule: RULES,
  outcomes: OUTCOMES,
};

function wholeNumber(option: string) {
  return (text: string): number => {
    if (!/^\d{1,4}$/.test(text)) throw new UsageError(`${option} takes a whole number, not '${text}'.`);
    return Number(text);
  };
}

function withPreset({ preset, ruleId, ...given }: Readonly<Record<string, unknown>>) {
  const id = ruleId ?? preset;
  if (preset === undefined) return { ...given, ...(id !== undefined && { ruleId: id }) };
  if (!isRulePreset(String(preset)))
    throw new UsageError(`There is no ready-made rule "${preset}". docs/rules.md lists them.`);
  const { name, when, then, reason: note } = RULE_PRESETS[preset as keyof typeof RULE_PRESETS];
  return { name, when, then, note, mode: 'shadow', ...given, ruleId: id };
}

/** Says on standard error what is probably not meant. */
async function warnAboutRule(
  { when }: Readonly<Record<string, unknown>>,
  { terminal }: CommandContext,
): Promise<void> {
  const { ruleWarnings } = await import('@postern/service/decision/rules/rule-warnings');
  for (const { line, column, message } of ruleWarnings(String(when)))
    terminal.error(`Warning: line ${line}, column ${column}: ${message}\n`);
}

/** The deliverer refuses private addresses. Without this, the operator would learn it from the failed deliveries. */
async function warnAboutAddress(url: string, config: Config, { terminal }: CommandContext): Promise<void> {
  const { leadsToReserved } = await import('@postern/service/events/safe-fetch/reachable-addresses');
  const { createCidrSet, parseCidr } = await import('@postern/service/model/cidr');
  const allowed = createCidrSet(config.webhookAllow.flatMap((range) => parseCidr(range) ?? []));
  if (!(await leadsToReserved(url, allowed))) return;
  terminal.error(
    `\nWarning: ${new URL(url).hostname} leads only to private or reserved addresses, so nothing will be delivered. Add its range to POSTERN_WEBHOOK_ALLOW in the service’s environment.\n`,
  );
}
