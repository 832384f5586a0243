import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { UsageError } from '../failure.ts';
import { deliveryJson, deliveryTable } from '../webhook-view.ts';

interface Options {
  readonly limit: string;
  readonly json?: true;
}

/** `webhook deliveries` and `webhook resend`. */
export function addWebhookDeliveries(parent: Command, context: CommandContext): void {
  parent
    .command('deliveries <id>')
    .summary('show the deliveries of a webhook and their results')
    .option('--limit <number>', 'at most this many, newest first', '50')
    .option('--json', 'print one JSON document')
    .action((id: string, options: Options) => showDeliveries(id, options, context));
  parent
    .command('resend <delivery>')
    .summary('send one delivery again')
    .option('--json', 'print one JSON document')
    .action(async (id: string, options: Pick<Options, 'json'>) => {
      const { placeOfDelivery, resendDelivery } = await import('@postern/service/administration/webhooks');
      await withAdministration(context, async (administration) => {
        const delivery = await resendDelivery(administration, await placeOfDelivery(administration, id));
        if (options.json) return printJson(context, deliveryJson(delivery));
        context.terminal.out(`Delivery ${id} is queued for the running service.\n`);
      });
    });
}

async function showDeliveries(id: string, options: Options, context: CommandContext): Promise<void> {
  const limit = /^\d{1,4}$/.test(options.limit) ? Number(options.limit) : 0;
  if (limit < 1) throw new UsageError(`--limit '${options.limit}' is not a whole number above 0.`);
  const { listDeliveries } = await import('@postern/service/administration/webhooks');
  await withAdministration(context, async (administration) => {
    const deliveries = await listDeliveries(administration, id, limit);
    if (options.json) return printJson(context, deliveries.map(deliveryJson));
    const { out, colors } = context.terminal;
    if (deliveries.length > 0) out(deliveryTable(deliveries, context.now(), colors));
    else out(`No deliveries yet. Try: postern webhook ping ${id}\n`);
  });
}
