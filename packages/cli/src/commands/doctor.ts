import { existsSync } from 'node:fs';
import type { Config } from '@postern/service/config';
import type { AdministeredStore } from '@postern/service/store/administered-store';
import type { Command } from 'commander';
import { withAdministration, withChecks, withStore } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import {
  type Diagnosis,
  examineClock,
  examineClosedStore,
  examineCompany,
  examineFolder,
  examineHealth,
  examineKeys,
  examineMissingStore,
  examineSafety,
  examineSettings,
  examineStore,
} from '../doctor.ts';
import { ExpectedError } from '../failure.ts';
import { formatTable } from '../table.ts';
import type { Colors } from '../terminal.ts';

interface Options {
  readonly json?: true;
  readonly trustClock?: true;
}

export function addDoctor(parent: Command, context: CommandContext): void {
  parent
    .command('doctor')
    .summary('check store, DNS, data, clock and permissions')
    .description('Checks each part with the current settings, and says how to fix what is wrong.')
    .option('--json', 'print one JSON document')
    .option(
      '--trust-clock',
      'this machine’s clock is right: delete expired data by it, although it was off for days',
    )
    .addHelpText('after', '\nExit code: 0 if everything is fine, 1 otherwise.')
    .action((options: Options) => examine(options, context));
}

async function examine(options: Options, context: CommandContext): Promise<void> {
  if (options.trustClock) await trustClock(context);
  const { readConfig } = await import('@postern/service/config');
  const { missingDatabaseFile } = await import('@postern/service/open-store');
  const config = readConfig(context.environment);
  const missingFile = missingDatabaseFile(config);
  const diagnoses = [
    examineSettings(config),
    ...(missingFile === undefined
      ? await examineStoreAndParts(config, context)
      : [examineMissingStore(missingFile), ...(await examineWithoutStore(config, context))]),
    // Before the first start of the service, a missing folder is no fault.
    ...(missingFile === undefined || existsSync(config.dataDir) ? [await examineFolder(config)] : []),
    ...(await examineCompany(config)),
  ];
  const faults = diagnoses.filter(({ state }) => state === 'fault').length;
  if (options.json) printJson(context, { healthy: faults === 0, parts: diagnoses });
  else context.terminal.out(diagnosisText(diagnoses, context.terminal.colors));
  if (faults > 0)
    throw new ExpectedError(faults === 1 ? 'One part has a problem.' : `${faults} parts have problems.`);
}

/** A clock that the database’s contradicts is wrong, whatever other clocks say; the report then says so. */
async function trustClock(context: CommandContext): Promise<void> {
  const { audit } = await import('@postern/service/operations/administration');
  await withAdministration(context, async (admin) => {
    const { clock } = admin.store;
    const doubt = await clock.doubt(admin.now());
    if (doubt?.of !== 'the last clean-up') return;
    await clock.trust(admin.now());
    await audit(admin, 'clock.trust', null, {});
  });
}

async function examineStoreAndParts(config: Config, context: CommandContext): Promise<Diagnosis[]> {
  const { createHealth } = await import('@postern/service/health');
  const { watchStore } = await import('@postern/service/watch-store');
  const { now } = context;
  return withChecks(config, async ({ mail, data }) => {
    const examineOpen = async (store: AdministeredStore): Promise<Diagnosis[]> => [
      await store.verify().then(async () => examineStore(await store.describe()), examineClosedStore),
      ...examineHealth(
        await createHealth({ config, store: watchStore(store), audit: store.audit, mail, data, now })(),
      ),
      await examineKeys({ store, now }),
      ...(await examineSafety(config, { store, now, plans: config.plans })),
      await examineClock({ store, now }),
    ];
    try {
      await mail.start();
      return await withStore(context, examineOpen, { waits: false });
    } catch (error) {
      return [examineClosedStore(error)];
    }
  });
}

/** DNS and data, while there is no store. */
async function examineWithoutStore(config: Config, { now }: CommandContext): Promise<Diagnosis[]> {
  const { createHealth } = await import('@postern/service/health');
  const { watchStore } = await import('@postern/service/watch-store');
  const absent = () => Promise.reject(new Error('There is no store'));
  const store = watchStore({ findKey: absent, settle: absent, refund: absent, ping: async () => {} });
  return withChecks(config, async ({ mail, data }) => {
    await mail.start();
    return examineHealth(await createHealth({ config, store, mail, data, now })());
  });
}

function diagnosisText(diagnoses: readonly Diagnosis[], colors: Colors): string {
  const marks = { ok: colors.green('ok'), attention: colors.yellow('attention'), fault: colors.red('fault') };
  const table = formatTable(
    diagnoses,
    [
      { title: 'part', cell: ({ part }) => part },
      { title: 'state', cell: ({ state }) => marks[state] },
      { title: 'finding', cell: ({ says }) => says },
    ],
    colors,
  );
  const advice = diagnoses.flatMap(({ part, advice }) => (advice ? [`${colors.bold(part)}: ${advice}`] : []));
  return advice.length === 0
    ? table
    : `${table}\nWhat to do:\n${advice.map((line) => `  ${line}\n`).join('')}`;
}
