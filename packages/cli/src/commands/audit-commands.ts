import type { Command } from 'commander';
import { withStore } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { ExpectedError, UsageError } from '../failure.ts';

interface Options {
  readonly expect?: string;
  readonly json?: true;
}

export function addAuditCommands(parent: Command, context: CommandContext): void {
  parent
    .command('verify')
    .summary('check that nobody changed the audit log')
    .description(
      'Each entry has a hash of its content and of the hash before it. This computes all of them again and prints the last one. Keep it outside, and give it to a later call with --expect: then nobody can have replaced the whole log in between.',
    )
    .option('--expect <place:hash>', 'what an earlier call printed; the log must still contain it')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExit code: 0 if the log is whole, 1 otherwise.')
    .action((options: Options) => verify(options, context));
}

async function verify(options: Options, context: CommandContext): Promise<void> {
  const expected = options.expect === undefined ? undefined : readPlace(options.expect);
  await withStore(context, async (store, { auditRetentionDays }) => {
    const { rows, start, end, broken: fault } = await store.audit.verify();
    const kept = `rows up to ${start.seq} are missing, and POSTERN_AUDIT_RETENTION_DAYS deletes none`;
    const broken =
      fault ?? (start.seq > 0 && auditRetentionDays === 0 ? { seq: 1, reason: kept } : undefined);
    const found = expected === undefined ? undefined : await store.audit.hashAt(expected.seq);
    const gone = expected !== undefined && expected.seq <= start.seq;
    const replaced = expected !== undefined && !gone && found !== expected.hash;
    const whole = broken === undefined && !replaced;
    if (options.json)
      printJson(context, {
        whole,
        rows,
        start: `${start.seq}:${start.hash}`,
        end: `${end.seq}:${end.hash}`,
        broken: broken ?? null,
        replaced,
      });
    else {
      const { out } = context.terminal;
      if (start.seq > 0) out(`Entries up to ${start.seq}:${start.hash} were deleted because of their age.\n`);
      out(`${rows} entries checked. The last one: ${end.seq}:${end.hash}\n`);
      if (gone) out('The expected entry was deleted because of its age; it cannot be compared.\n');
    }
    if (broken !== undefined) throw new ExpectedError(`The audit log is not whole: ${broken.reason}.`);
    if (replaced)
      throw new ExpectedError('The audit log was replaced: it does not contain the expected entry.');
  });
}

function readPlace(text: string): { readonly seq: number; readonly hash: string } {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq === undefined || hash === undefined)
    throw new UsageError('--expect is the place and hash that an earlier call printed, such as 17:4f2a….');
  return { seq: Number(seq), hash };
}
