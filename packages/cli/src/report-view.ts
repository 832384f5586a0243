import {
  type CheckName,
  type CheckResult,
  explainCheck,
  explainOwnDecision,
  resultKindOf,
} from '@postern/contract';
import type { AddressReport } from '@postern/service/operations/check-address';
import { formatTable, printable } from './table.ts';
import type { Colors } from './terminal.ts';

/** Explains one address: the verdict, then each check with its finding and data. */
export function reportText(report: AddressReport, colors: Colors): string {
  if (!report.valid)
    return `${colors.bold(printable(report.address))}  ${colors.red('invalid')}  ${report.error}\n`;
  const rows = resultsOf(report.checks);
  const table = formatTable(
    rows,
    [
      { title: 'check', cell: ([name]) => name },
      { title: 'result', cell: ([, result]) => resultWord(result, colors) },
      { title: 'ms', cell: ([, { latency }]) => latency.toFixed(2), align: 'right' },
      { title: 'because', cell: ([name, result]) => because(name, result) },
    ],
    colors,
  );
  const ownDecision = explainOwnDecision(report.signals, report.rule);
  const lines = [
    `${colors.bold(printable(report.address))}  ${verdict(report.recommendation, colors)}`,
    ...(ownDecision === undefined ? [] : [`${printable(ownDecision)}.`]),
    ...(report.message === null ? [] : [`Says: ${report.message}`]),
    ...(report.signals.length === 0 ? [] : [`Signals: ${report.signals.join(', ')}`]),
  ];
  return `${lines.join('\n')}\n${indent(table)}`;
}

function verdict(recommendation: string, colors: Colors): string {
  if (recommendation === 'allow') return colors.green('allow');
  return recommendation === 'flag' ? colors.yellow('flag') : colors.red('block');
}

function resultWord(result: CheckResult, colors: Colors): string {
  const kind = resultKindOf(result);
  if (kind === 'failed') return colors.red('fail');
  return kind === 'unknown' ? colors.yellow('unknown') : colors.green('pass');
}

/** What the check found, and the version of the data that it used. */
function because(name: CheckName, result: CheckResult): string {
  const { dataVersion } = result.metadata ?? {};
  const data = dataVersion === undefined ? [] : [`data ${String(dataVersion)}`];
  return [...explainCheck(name, result), ...data].join('; ');
}

function resultsOf(checks: Partial<Record<CheckName, CheckResult>>): [CheckName, CheckResult][] {
  return Object.entries(checks) as [CheckName, CheckResult][];
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
