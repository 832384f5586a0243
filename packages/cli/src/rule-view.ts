import type { RuleTest } from '@postern/contract/dashboard';
import type { Rule } from '@postern/contract/rules';
import type { CommandContext } from './command-context.ts';
import { isoMoment } from './moment.ts';
import { formatFacts, formatTable } from './table.ts';
import type { Colors } from './terminal.ts';

/** A rule as `--json` prints it. */
export function ruleJson(rule: Rule): Record<string, unknown> {
  return {
    ...rule,
    ...(rule.expiresAt !== undefined && { expiresAt: isoMoment(rule.expiresAt) }),
    ...(rule.createdAt !== undefined && { createdAt: isoMoment(rule.createdAt) }),
    ...(rule.changedAt !== undefined && { changedAt: isoMoment(rule.changedAt) }),
  };
}

/** Says on standard error what is probably not meant. */
export async function warnAboutRule({ when }: Rule, { terminal }: CommandContext): Promise<void> {
  const { ruleWarnings } = await import('@postern/service/decision/rules/rule-warnings');
  for (const { line, column, message } of ruleWarnings(when))
    terminal.error(`Warning: line ${line}, column ${column}: ${message}\n`);
}

export function ruleText(rule: Rule, colors: Colors): string {
  return formatFacts(
    [
      ['id', colors.bold(rule.id)],
      ['name', rule.name],
      ['when', rule.when],
      ['then', rule.then],
      ['mode', rule.mode],
      ...(rule.message === undefined ? [] : [['message', rule.message] as const]),
      ...(rule.note === undefined ? [] : [['note', rule.note] as const]),
      ...(rule.expiresAt === undefined ? [] : [['until', isoMoment(rule.expiresAt)] as const]),
    ],
    colors,
  );
}

export function ruleTable(rules: readonly Rule[], colors: Colors): string {
  return formatTable(
    rules,
    [
      { title: 'id', cell: ({ id }) => colors.bold(id) },
      { title: 'name', cell: ({ name }) => name },
      { title: 'then', cell: ({ then }) => then },
      { title: 'mode', cell: ({ mode }) => (mode === 'shadow' ? colors.dim(mode) : mode) },
      { title: 'when', cell: ({ when }) => when.replace(/\s+/g, ' ') },
    ],
    colors,
  );
}

export function ruleTestText(test: RuleTest, colors: Colors): string {
  const { considered, matches, known, bad, good, answered, examples } = test;
  const facts = formatFacts(
    [
      ['considered', `${considered} validations${test.partial ? ', estimated from a sample of them' : ''}`],
      [
        'matches',
        colors.bold(String(matches)) + (test.partial ? ` (${test.matchesLow} to ${test.matchesHigh})` : ''),
      ],
      ['answered', `allow ${answered.allow}, flag ${answered.flag}, block ${answered.block}`],
      ['known people', `${known}: ${bad} bad, ${good} good`],
      ...(test.failed === 0 ? [] : [['failed', `${test.failed} evaluations`] as const]),
    ],
    colors,
  );
  if (examples.length === 0) return facts;
  const rows = formatTable(
    examples,
    [
      { title: 'when', cell: ({ at }) => isoMoment(at) },
      { title: 'address', cell: ({ maskedAddress }) => maskedAddress },
      { title: 'answer', cell: ({ recommendation }) => recommendation },
      { title: 'signals', cell: ({ signals }) => signals.join(' ') },
    ],
    colors,
  );
  return `${facts}\n${rows}`;
}
