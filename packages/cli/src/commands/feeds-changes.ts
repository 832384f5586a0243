import { access, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { ExpectedError, UsageError } from '../failure.ts';
import { failUnlessAllAccepted, printFeedResult, refreshNow } from '../feed-progress.ts';

interface Options {
  readonly json?: true;
}

export function addFeedsRefresh(parent: Command, context: CommandContext): void {
  parent
    .command('refresh [source]')
    .summary('fetch fresh data now')
    .description(
      'Fetches every source, or the one named, whether it is due or not. A source that fails keeps its last good copy. A running service loads the new data automatically.',
    )
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExit code: 0 if every source was refreshed and is in use, 1 otherwise. An optional source that no longer exists is a warning.',
    )
    .action((source: string | undefined, options: Options) => refresh(source, options, context));
}

async function refresh(only: string | undefined, options: Options, context: CommandContext): Promise<void> {
  const { readConfig } = await import('@postern/service/config');
  const { readFeedSources } = await import('@postern/service/feeds/feed-source');
  const names = (await readFeedSources(readConfig(context.environment).feeds)).map(({ name }) => name);
  if (names.length === 0)
    throw new UsageError('Feeds are off: set POSTERN_FEEDS to on, or to a file of sources.');
  if (only !== undefined && !names.includes(only)) {
    throw new UsageError(`There is no source '${only}'. The sources are: ${names.join(', ')}.`);
  }

  const result = await refreshNow(context, options, { only });
  if (options.json) printJson(context, result);
  else printFeedResult(result, context.terminal);
  failUnlessAllAccepted(result, 'could not be refreshed');
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

export function addFeedsExport(parent: Command, context: CommandContext): void {
  parent
    .command('export <file>')
    .summary('write fetched data to a file, for a machine without internet')
    .description(
      'Writes the archived data of every source to one file. Copy it to a machine without internet access and run postern feeds import there.',
    )
    .option('--json', 'print one JSON document')
    .action((file: string, options: Options) => exportFeeds(file, options, context));
}

async function exportFeeds(file: string, options: Options, context: CommandContext): Promise<void> {
  const { readConfig } = await import('@postern/service/config');
  const { openFeedArchive } = await import('@postern/service/feeds/feed-archive');
  const { writeBundle } = await import('@postern/service/feeds/feed-bundle');
  const { feedsFolder } = await import('@postern/service/feeds/feed-health');
  const { readKnownSources } = await import('@postern/service/feeds/feed-source');
  const { feeds: setting, dataDir } = readConfig(context.environment);
  const archive = openFeedArchive(feedsFolder(dataDir), context.now);
  let names: readonly string[];
  try {
    names = await writeBundle(await readKnownSources(setting), archive, file);
  } catch (error) {
    throw new UsageError(`Cannot write ${file}: ${error instanceof Error ? error.message : error}`);
  }
  if (names.length === 0)
    throw new ExpectedError('No data was fetched yet. Run postern feeds refresh first.');
  const { size: bytes } = await stat(file);
  if (options.json) return printJson(context, { file, bytes, sources: names });
  context.terminal.out(`Wrote ${names.length} sources to ${file}: ${names.join(', ')}.\n`);
}

export function addFeedsImport(parent: Command, context: CommandContext): void {
  parent
    .command('import <file>')
    .summary('import a file written by postern feeds export')
    .description(
      'Imports each source that is newer in the file than here. The same safety checks as for a refresh apply. It works with POSTERN_FEEDS on or off, and a running service loads the new data automatically.',
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExit code: 0 if every source was accepted and is in use, 1 otherwise.')
    .action((file: string, options: Options) => importFeeds(file, options, context));
}

async function importFeeds(file: string, options: Options, context: CommandContext): Promise<void> {
  const bundle = resolve(file);
  await access(bundle).catch(() => {
    throw new UsageError(`Cannot read ${file}. Check the path and its permissions.`);
  });
  const result = await refreshNow(context, options, { bundle });
  if (options.json) printJson(context, result);
  else printFeedResult(result, context.terminal);
  failUnlessAllAccepted(result, 'in the file could not be accepted');
}
