import { RULE_PRESET_GROUPS, RULE_PRESETS, type RulePreset } from '@postern/contract/rule-presets';
import type { Command } from 'commander';
import { type CommandContext, printJson } from '../command-context.ts';
import { formatTable } from '../table.ts';

const PRESETS: readonly (RulePreset & { readonly id: string })[] = Object.entries(RULE_PRESETS).map(
  ([id, preset]) => ({ id, ...preset }),
);

export function addRulePresets(parent: Command, context: CommandContext): void {
  parent
    .command('presets')
    .summary('list ready-made rules')
    .description('Lists ready-made rules. `postern rule create --preset ID` makes one, in shadow.')
    .option('--json', 'print one JSON document')
    .action(({ json }: { readonly json?: true }) => list(json === true, context));
}

function list(json: boolean, context: CommandContext): void {
  if (json) {
    printJson(context, PRESETS);
    return;
  }
  const { out, colors } = context.terminal;
  for (const [group, title] of Object.entries(RULE_PRESET_GROUPS)) {
    const rows = PRESETS.filter((preset) => preset.group === group);
    const columns = [
      { title: 'id', cell: ({ id }: (typeof rows)[number]) => colors.bold(id) },
      { title: 'name', cell: ({ name }: (typeof rows)[number]) => name },
      { title: 'then', cell: ({ then }: (typeof rows)[number]) => then },
      { title: 'when', cell: ({ when }: (typeof rows)[number]) => when },
    ];
    out(`${colors.bold(title)}\n${formatTable(rows, columns, colors)}\n`);
  }
}
