import { WEBHOOK_EVENT_NAMES } from '@postern/contract';
import type { Config } from '@postern/service/config';
import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { collect } from '../project-options.ts';
import { webhookFilter } from '../webhook-filter.ts';
import { issuedWebhookJson, issuedWebhookText } from '../webhook-view.ts';

interface Options {
  readonly project: string;
  readonly url: string;
  readonly event?: readonly string[];
  readonly format?: string;
  readonly signal?: readonly string[];
  readonly surgeAtLeast?: string;
  readonly json?: true;
}

export function addWebhookCreate(parent: Command, context: CommandContext): void {
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
    .option('--signal <name>', 'only validations with this signal; repeatable', collect)
    .option('--surge-at-least <number>', 'only surges of at least so many sign-ups')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Nothing is delivered to a private address unless POSTERN_WEBHOOK_ALLOW contains its range.

Example:
  postern webhook create --project shop --url https://shop.example/hooks --event validation.blocked`,
    )
    .action((options: Options) => create(options, context));
}

async function create(options: Options, context: CommandContext): Promise<void> {
  const { createWebhook } = await import('@postern/service/administration/webhooks');
  const { project: projectId, url, event: events, format } = options;
  await withAdministration(context, async (administration, config) => {
    const filter = webhookFilter(options);
    const webhook = await createWebhook(administration, { projectId, url, events, format, filter });
    if (options.json) printJson(context, issuedWebhookJson(webhook));
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
