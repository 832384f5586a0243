import { WEBHOOK_EVENT_NAMES } from '@postern/contract';
import type { NewWebhookRequest } from '@postern/contract/dashboard';
import type { Config } from '@postern/service/config';
import type { Command } from 'commander';
import { type StoreOperations, withOperations } from '../administration-session.ts';
import { type CommandContext, printAnswer } from '../command-context.ts';
import { ExpectedError, UsageError } from '../failure.ts';
import { collect } from '../project-options.ts';
import { deliveryTable, issuedWebhookText, webhookTable } from '../webhook-view.ts';

interface Options {
  readonly project?: string;
  readonly json?: true;
}

interface NewWebhookOptions extends Options {
  readonly project: string;
  readonly url: string;
  readonly event?: readonly string[];
  readonly format: string;
}

export function addWebhookCommands(parent: Command, context: CommandContext): void {
  parent
    .command('create')
    .summary('send a project’s events to a URL')
    .description('Creates a webhook and prints its secret once.')
    .requiredOption('--project <id>', 'the project whose events are sent')
    .requiredOption('--url <url>', 'where they are sent: an http or https URL, or mailto: and an address')
    .option(
      '--event <name>',
      `one event to send; repeatable (default: all). ${WEBHOOK_EVENT_NAMES.join(', ')}`,
      collect,
    )
    .option('--format <standard|slack|discord>', 'the format of the body', 'standard')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Nothing is delivered to a private address unless POSTERN_WEBHOOK_ALLOW contains its range.

Example:
  postern webhook create --project shop --url https://shop.example/hooks --event validation.blocked`,
    )
    .action((options: NewWebhookOptions) => create(options, context));
  parent
    .command('list')
    .summary('show the webhooks, never their secrets')
    .option('--project <id>', 'only the webhooks of this project')
    .option('--json', 'print one JSON document')
    .action((options: Options) => list(options, context));
  addChanges(parent, context);
  parent
    .command('deliveries <id>')
    .summary('show the deliveries of a webhook and their results')
    .option('--limit <number>', 'at most this many, newest first', '50')
    .option('--json', 'print one JSON document')
    .action((id: string, options: Options & { readonly limit: string }) => deliveries(id, options, context));
  parent
    .command('resend <delivery>')
    .summary('send one delivery again')
    .option('--json', 'print one JSON document')
    .action((id: string, options: Options) => resend(id, options, context));
}

/** Each takes a webhook’s ID. */
function addChanges(parent: Command, context: CommandContext): void {
  const { out, colors } = context.terminal;
  const add = <T>(
    name: string,
    summary: string,
    run: (call: StoreOperations, webhookId: string) => Promise<T>,
    textOf: (answer: T, webhookId: string) => string,
  ) =>
    parent
      .command(`${name} <id>`)
      .summary(summary)
      .option('--json', 'print one JSON document')
      .action((id: string, { json }: Options) =>
        withOperations(context, async (call) => {
          const answer = await run(call, id);
          if (json) printAnswer(context, { id, ...answer });
          else out(textOf(answer, id));
        }),
      );
  add(
    'delete',
    'delete a webhook and its deliveries',
    (call, webhookId) => call('DELETE /webhooks/:webhookId', { webhookId }),
    (_, id) => `Webhook ${id} is deleted.\n`,
  );
  add(
    'rotate',
    'give a webhook a new secret; the old one stays valid for a day',
    (call, webhookId) => call('POST /webhooks/:webhookId/rotate', { webhookId }),
    (webhook) => issuedWebhookText(webhook, colors),
  );
  add(
    'ping',
    'send a test.ping event to a webhook',
    (call, webhookId) => call('POST /webhooks/:webhookId/ping', { webhookId }),
    (_, id) => `A test.ping is queued for the running service. See: postern webhook deliveries ${id}\n`,
  );
}

async function create(options: NewWebhookOptions, context: CommandContext): Promise<void> {
  const { project, url } = options;
  // As typed: the operation refuses what it does not know.
  const { events, format } = { ...options, events: options.event } as unknown as NewWebhookRequest;
  await withOperations(context, async (call, _administration, config) => {
    const webhook = await call('POST /projects/:id/webhooks', { id: project }, { url, events, format });
    if (options.json) printAnswer(context, webhook);
    else context.terminal.out(issuedWebhookText(webhook, context.terminal.colors));
    await warnAboutAddress(webhook.url, config, context);
  });
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

async function list({ project, json }: Options, context: CommandContext): Promise<void> {
  await withOperations(context, async (call, { store }) => {
    const ids = project === undefined ? (await store.projects.list()).map(({ id }) => id) : [project];
    const lists = await Promise.all(ids.map((id) => call('GET /projects/:id/webhooks', { id })));
    const webhooks = lists.flat();
    if (json) return printAnswer(context, webhooks);
    const { out, colors } = context.terminal;
    if (webhooks.length > 0) out(webhookTable(webhooks, context.now(), colors));
    else
      out(
        `No webhooks yet. Create one: ${colors.cyan('npx postern webhook create --project ID --url URL')}\n`,
      );
  });
}

async function deliveries(
  webhookId: string,
  { limit: given, json }: Options & { readonly limit: string },
  context: CommandContext,
): Promise<void> {
  const limit = /^\d{1,3}$/.test(given) ? Number(given) : 0;
  if (limit < 1 || limit > 200)
    throw new UsageError(`--limit '${given}' is not a whole number from 1 to 200.`);
  await withOperations(context, async (call) => {
    const { rows } = await call('GET /webhooks/:webhookId/deliveries', { webhookId, limit });
    if (json) return printAnswer(context, rows);
    const { out, colors } = context.terminal;
    if (rows.length > 0) out(deliveryTable(rows, context.now(), colors));
    else out(`No deliveries yet. Try: postern webhook ping ${webhookId}\n`);
  });
}

async function resend(deliveryId: string, { json }: Options, context: CommandContext): Promise<void> {
  // The ID ends with the webhook’s.
  const webhookId = deliveryId.slice(deliveryId.lastIndexOf('-') + 1);
  await withOperations(context, async (call, { store }) => {
    const webhook = await store.events.webhooks.find(webhookId);
    if (webhook === undefined) throw new ExpectedError(`There is no delivery '${deliveryId}'.`);
    const place = { id: webhook.projectId, webhookId, deliveryId };
    const delivery = await call(
      'POST /projects/:id/webhooks/:webhookId/deliveries/:deliveryId/resend',
      place,
    );
    if (json) return printAnswer(context, delivery);
    context.terminal.out(`Delivery ${deliveryId} is queued for the running service.\n`);
  });
}
