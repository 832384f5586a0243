import type { Administration } from '@postern/service/administration/administration';
import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { collect } from '../project-options.ts';
import { webhookFilter } from '../webhook-filter.ts';
import { issuedWebhookJson, issuedWebhookText, webhookJson } from '../webhook-view.ts';

interface Options {
  readonly json?: true;
}

interface UpdateOptions extends Options {
  readonly url?: string;
  readonly event?: readonly string[];
  readonly format?: string;
  readonly signal?: readonly string[];
  readonly surgeAtLeast?: string;
  readonly pause?: true;
  readonly resume?: true;
}

type Webhooks = typeof import('@postern/service/administration/webhooks');

/** `webhook update`, `delete`, `rotate`, `ping` and `enable`: each takes a webhook’s ID. */
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

  parent
    .command('update <id>')
    .summary('change where a webhook sends what, or pause it')
    .option('--url <url>', 'where events are sent')
    .option('--event <name>', 'one event to send; repeatable, instead of those it had', collect)
    .option('--format <standard|slack|discord>', 'the format of the body')
    .option('--signal <name>', 'only validations with this signal; repeatable; an empty one: any', collect)
    .option('--surge-at-least <number>', 'only surges of at least so many sign-ups; 0: any')
    .option('--pause', 'send nothing until --resume')
    .option('--resume', 'send again')
    .option('--json', 'print one JSON document')
    .action(async (id: string, options: UpdateOptions) => {
      const { changeWebhook } = await import('@postern/service/administration/webhooks');
      const { url, event: events, format, pause, resume, json } = options;
      const filter = webhookFilter(options);
      await withAdministration(context, async (administration) => {
        const webhook = await changeWebhook(administration, id, {
          ...(url !== undefined && { url }),
          ...(events !== undefined && { events }),
          ...(format !== undefined && { format }),
          ...(filter !== undefined && { filter }),
          ...((pause ?? resume) && { paused: pause === true }),
        });
        if (json) return printJson(context, webhookJson(webhook));
        terminal.out(`Webhook ${id} is changed.\n`);
      });
    });
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
