import { type BulkFile, bulkResultHeader, bulkResultLine } from '@postern/contract/bulk-file';
import { BULK_BAD_IP, type BulkResult } from '@postern/contract/dashboard';
import { Badge, type Tone } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { count, plural } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { Cell, NarrowName, Table } from '../../components/table.tsx';
import { Download } from '../../icons.ts';
import type { BulkProgress } from './use-bulk-run.ts';

interface BulkReportProps {
  name: string;
  file: BulkFile;
  progress: BulkProgress;
  onCancel: () => void;
  onContinue: () => void;
  onClose: () => void;
}

const isBadIp = ({ recommendation, reason }: BulkResult) =>
  recommendation === 'invalid' && reason === BULK_BAD_IP;

const VERDICTS: readonly (readonly [word: string, tone: Tone, is: (result: BulkResult) => boolean])[] = [
  ['allowed', 'allow', ({ recommendation }) => recommendation === 'allow'],
  ['flagged', 'flag', ({ recommendation }) => recommendation === 'flag'],
  ['blocked', 'block', ({ recommendation }) => recommendation === 'block'],
  ['not an address', 'neutral', (result) => result.recommendation === 'invalid' && !isBadIp(result)],
  ['with a bad IP address', 'neutral', isBadIp],
];

const ROWS_SHOWN = 50;

export function BulkReport({ name, file, progress, onCancel, onContinue, onClose }: BulkReportProps) {
  const { state, results, message } = progress;
  const total = file.rows.length;
  const left = total - results.length;
  const running = state === 'running';
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <div className="grid gap-1.5">
        <Progress label="Rows checked" value={results.length} max={total} />
        <p className="num text-soft" role="status">
          {running ? 'Checking' : 'Checked'} {count(results.length)} of {plural(total, 'row')}
        </p>
      </div>
      {message !== undefined && <Notice kind="warn">{message}</Notice>}
      <ul className="flex flex-wrap gap-2">
        {VERDICTS.map(([word, tone, is]) => (
          <li key={word}>
            <Badge tone={tone}>
              {count(results.filter(is).length)} {word}
            </Badge>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        {running ? (
          <Button onClick={onCancel}>Cancel</Button>
        ) : (
          <>
            <Button
              variant="primary"
              disabled={results.length === 0}
              onClick={() => download(resultName(name), resultText(file, results))}
            >
              <Download size={16} /> Download the result
            </Button>
            {left > 0 && <Button onClick={onContinue}>Check the remaining {plural(left, 'row')}</Button>}
            <Button onClick={onClose}>Choose another file</Button>
          </>
        )}
      </div>
      {!running && <Findings file={file} results={results} />}
    </div>
  );
}

/** Written by hand: browsers draw their own in colours that the page does not have. */
function Progress({ label, value, max }: { label: string; value: number; max: number }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      className="h-2 overflow-hidden rounded-full bg-hover"
    >
      <div className="h-full bg-accent" style={{ width: `${(value / Math.max(1, max)) * 100}%` }} />
    </div>
  );
}

/** The first rows that were not allowed. The download has all of them. */
function Findings({ file, results }: { file: BulkFile; results: readonly BulkResult[] }) {
  const found = results.flatMap((result, index) => {
    const row = file.rows[index];
    return row === undefined || result.recommendation === 'allow' ? [] : [{ row, result }];
  });
  if (found.length === 0) return null;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2">
      <Table label="Rows that were not allowed" head={['Line', 'Address', 'Answer', 'Reason']} flows>
        {found.slice(0, ROWS_SHOWN).map(({ row, result }) => (
          <tr key={row.line}>
            <Cell className="num text-faint">
              <NarrowName>line</NarrowName>
              {row.line}
            </Cell>
            <Cell className="max-w-72 wrap-anywhere md:min-w-48">
              {row.email === '' ? '(empty)' : row.email}
            </Cell>
            <Cell>
              <Badge tone={result.recommendation === 'invalid' ? 'neutral' : result.recommendation}>
                {result.recommendation}
              </Badge>
            </Cell>
            <Cell className="text-soft max-md:basis-full">{result.reason}</Cell>
          </tr>
        ))}
      </Table>
      {found.length > ROWS_SHOWN && (
        <p className="text-[0.8667rem] text-faint">
          The first {ROWS_SHOWN} of {count(found.length)}. The download has all of them.
        </p>
      )}
    </div>
  );
}

function resultText(file: BulkFile, results: readonly BulkResult[]): string {
  const lines = file.rows.slice(0, results.length).map((row, index) => {
    const result = results[index];
    return result === undefined ? '' : bulkResultLine(file, row, result);
  });
  return [bulkResultHeader(file), ...lines].join('');
}

function resultName(name: string): string {
  return `${name.replace(/\.[^.]*$/, '')}-checked.csv`;
}

function download(name: string, text: string): void {
  // The mark tells spreadsheets that the text is UTF-8.
  const url = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
