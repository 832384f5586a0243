import type { CheckName, CheckResult } from '@postern/contract';
import type { AddressReport } from '@postern/service/administration/check-address';
import { explainCheck } from './explain-check.ts';
import { printable } from './printable.ts';
import { formatTable } from './table.ts';
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
      { title: 'result', cell: ([, result]) => outcome(result, colors) },
      { title: 'ms', cell: ([, { latency }]) => latency.toFixed(2), align: 'right' },
      { title: 'because', cell: ([name, result]) => explainCheck(name, result) },
    ],
    colors,
  );
  const lines = [
    `${colors.bold(printable(report.address))}  ${verdict(report.recommendation, colors)}`,
    ...(report.message === null ? [] : [`Says: ${report.message}`]),
    ...(report.signals.length === 0 ? [] : [`Signals: ${report.signals.join(', ')}`]),
  ];
  return `${lines.join('\n')}\n${indent(table)}`;
}

/** Many addresses, one line each: what failed, by which rule and data. */
export function reportTable(reports: readonly AddressReport[], colors: Colors): string {
  return formatTable(
    reports,
    [
      { title: 'address', cell: ({ address }) => address },
      {
        title: 'verdict',
        cell: (report) => (report.valid ? verdict(report.recommendation, colors) : colors.red('invalid')),
      },
      { title: 'because', cell: (report) => (report.valid ? failures(report.checks) : report.error) },
    ],
    colors,
  );
}

function verdict(recommendation: string, colors: Colors): string {
  if (recommendation === 'allow') return colors.green('allow');
  return recommendation === 'flag' ? colors.yellow('flag') : colors.red('block');
}

function outcome({ pass, metadata }: CheckResult, colors: Colors): string {
  if (!pass) return colors.red('fail');
  return metadata?.status === 'unknown' ? colors.yellow('unknown') : colors.green('pass');
}

function failures(checks: Checked): string {
  return resultsOf(checks)
    .filter(([, { pass }]) => !pass)
    .map(([name, result]) => `${name}: ${explainCheck(name, result)}`)
    .join(' | ');
}

type Checked = Partial<Record<CheckName, CheckResult>>;

function resultsOf(checks: Checked): [CheckName, CheckResult][] {
  return Object.entries(checks) as [CheckName, CheckResult][];
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
