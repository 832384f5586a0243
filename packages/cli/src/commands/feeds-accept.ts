import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { ExpectedError, UsageError } from '../failure.ts';
import { failUnlessAllAccepted, printFeedResult, refreshNow } from '../feed-progress.ts';

interface Options {
  readonly json?: true;
}

export function addFeedsAccept(parent: Command, context: CommandContext): void {
  parent
    .command('accept <source>')
    .summary('accept a source whose size changed a lot')
    .description(
      'Fetches one source and accepts it even if it shrank or grew far more than usual. Later changes are compared with this size. Look at the list before you accept it. A list that contains large mail providers, or covers too much of the internet for its kind, is still refused. The audit log records who accepted what.',
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExit code: 0 if the source was accepted and is in use, 1 otherwise.')
    .action((source: string, options: Options) => acceptSource(source, options, context));
}

async function acceptSource(source: string, options: Options, context: CommandContext): Promise<void> {
  const { readConfig } = await import('@postern/service/config');
  const { audit } = await import('@postern/service/operations/administration');
  const { readFeedReports } = await import('@postern/service/feeds/feed-health');
  const { readFeedSources } = await import('@postern/service/feeds/feed-source');
  const { feeds: setting, dataDir } = readConfig(context.environment);
  const names = (await readFeedSources(setting)).map(({ name }) => name);
  if (!names.includes(source))
    throw new UsageError(`There is no source '${source}'. The sources are: ${names.join(', ') || 'none'}.`);

  const entriesNow = async () =>
    (await readFeedReports(setting, dataDir, context.now())).sources.find(({ name }) => name === source)
      ?.entries ?? 0;
  const entriesBefore = await entriesNow();
  const result = await refreshNow(context, options, { only: source, acceptSize: true });
  const entries = await entriesNow();
  if (result.changed.includes(source))
    await withAdministration(context, (administration) =>
      audit(administration, 'feed.accept', null, { source, entriesBefore, entries }),
    );
  if (options.json) printJson(context, { ...result, source, entriesBefore, entries });
  else printFeedResult(result, context.terminal);
  failUnlessAllAccepted(result, 'could not be accepted');
  if (source in result.gone) throw new ExpectedError(`${source} is no longer published at its address.`);
}
