import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { webhookJson, webhookStore } from '../webhook-view.ts';

interface Options {
  readonly project?: string;
  readonly json?: true;
}

export function addWebhookList(parent: Command, context: CommandContext): void {
  parent
    .command('list')
    .summary('show the webhooks, never their secrets')
    .option('--project <id>', 'only the webhooks of this project')
    .option('--json', 'print one JSON document')
    .action((options: Options) => list(options, context));
}

async function list(options: Options, context: CommandContext): Promise<void> {
  const { listWebhooks } = await import('@postern/service/administration/webhooks');
  await withAdministration(context, async (administration) => {
    const webhooks = await listWebhooks(administration, options.project);
    if (options.json) return printJson(context, webhooks.map(webhookJson));
    const { out, colors } = context.terminal;
    if (webhooks.length > 0) out(webhookStore(webhooks, context.now(), colors));
    else
      out(
        `No webhooks yet. Create one: ${colors.cyan('npx postern webhook create --project ID --url URL')}\n`,
      );
  });
}
