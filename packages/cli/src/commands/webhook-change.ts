import type { Administration } from '@postern/service/administration/administration';
import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { issuedWebhookJson, issuedWebhookText, webhookJson } from '../webhook-view.ts';

interface Options {
  readonly json?: true;
}

type Webhooks = typeof import('@postern/service/administration/webhooks');

/** `webhook delete`, `rotate`, `ping` and `enable`: each takes a webhook’s ID. */
export function addWebhookChanges(parent: Command, context: CommandContext): void {
  const add = (
    name: string,
    summary: string,
    run: (webhooks: Webhooks, administration: Administration, id: string, options: Options) => Promise<void>,
  ) =>
    parent
      .command(`${name} <id>`)
      .summary(summary)
      .option('--json', 'print one JSON document')
      .action(async (id: string, options: Options) => {
        const webhooks = await import('@postern/service/administration/webhooks');
        await withAdministration(context, (administration) => run(webhooks, administration, id, options));
      });
  const { terminal } = context;

  add('delete', 'delete a webhook and its deliveries', async (webhooks, administration, id, { json }) => {
    const webhook = await webhooks.deleteWebhook(administration, id);
    if (json) return printJson(context, webhookJson(webhook));
    terminal.out(`Webhook ${id} is deleted.\n`);
  });
  add(
    'rotate',
    'give a webhook a new secret; the old one stays valid for a day',
    async (webhooks, administration, id, { json }) => {
      const webhook = await webhooks.rotateWebhook(administration, id);
      if (json) return printJson(context, issuedWebhookJson(webhook));
      terminal.out(issuedWebhookText(webhook, terminal.colors));
    },
  );
  add('ping', 'send a test.ping event to a webhook', async (webhooks, administration, id, { json }) => {
    const eventId = await webhooks.pingWebhook(administration, id);
    if (json) return printJson(context, { id, eventId });
    terminal.out(`A test.ping is queued for the running service. See: postern webhook deliveries ${id}\n`);
  });
  add(
    'enable',
    'enable a webhook that was disabled because its receiver failed',
    async (webhooks, administration, id, { json }) => {
      const webhook = await webhooks.enableWebhook(administration, id);
      if (json) return printJson(context, webhookJson(webhook));
      terminal.out(`Webhook ${id} is enabled.\n`);
    },
  );
}
