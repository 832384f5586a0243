import { type BulkFile, readBulkFile } from '@postern/contract/bulk-file';
import { BULK_MAX_FILE_BYTES, BULK_MAX_ROW_LENGTH, BULK_MAX_ROWS } from '@postern/contract/dashboard';
import { useState } from 'react';
import { failureText } from '../../api/client.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { FileDrop } from '../../components/file-drop.tsx';
import { count, dayOf, plural } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { AskBeforeLeaving } from '../../components/unsaved.tsx';
import { BulkReport } from './bulk-report.tsx';
import { useBulkRun } from './use-bulk-run.ts';

interface Chosen {
  readonly name: string;
  readonly file: BulkFile;
}

export function BulkPage() {
  const project = useProject();
  const may = usePermissions();
  const [chosen, setChosen] = useState<Chosen | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  const { progress, start, cancel, reset } = useBulkRun(project.id, chosen?.file);
  const running = progress.state === 'running';
  const open = async (file: File) => {
    reset();
    try {
      setProblem(undefined);
      setChosen({ name: file.name, file: await readFile(file) });
    } catch (error) {
      setChosen(undefined);
      setProblem(`${file.name}: ${failureText(error)}.`);
    }
  };
  const close = () => {
    reset();
    setChosen(undefined);
  };
  return (
    <Page
      title="Check a file"
      lead="Check a list of addresses with this project’s policy and lists. Nothing of it is logged or remembered as a sign-up, and it does not change later answers."
    >
      <AskBeforeLeaving changed={running} text="The check is cancelled and its result is lost." />
      {!may.decide && <Notice kind="note">Viewers cannot check files, because it uses the quota.</Notice>}
      {may.decide && (
        <Section title={chosen?.name ?? 'Choose a file'}>
          {chosen === undefined ? (
            <div className="grid gap-4">
              {problem !== undefined && <Notice kind="bad">{problem}</Notice>}
              <FileDrop onFile={(file) => void open(file)} />
              <Format />
            </div>
          ) : progress.state === 'ready' ? (
            <Before file={chosen.file} onStart={start} onClose={close} />
          ) : (
            <BulkReport
              name={chosen.name}
              file={chosen.file}
              progress={progress}
              onCancel={cancel}
              onContinue={start}
              onClose={close}
            />
          )}
        </Section>
      )}
    </Page>
  );
}

async function readFile(file: File): Promise<BulkFile> {
  if (file.size > BULK_MAX_FILE_BYTES)
    throw new Error(`the file is larger than ${BULK_MAX_FILE_BYTES / 1024 / 1024} MiB; split it`);
  return readBulkFile(new Uint8Array(await file.arrayBuffer()), {
    maxRows: BULK_MAX_ROWS,
    maxRowLength: BULK_MAX_ROW_LENGTH,
  });
}

function Format() {
  return (
    <p className="text-[0.9rem] text-soft">
      A CSV file with a column <code>email</code> and, if you have it, the person’s <code>ip</code>; or a list
      with one address a line. At most {count(BULK_MAX_ROWS)} rows; split larger files.
    </p>
  );
}

interface BeforeProps {
  file: BulkFile;
  onStart: () => void;
  onClose: () => void;
}

/** What will be checked, and what it will cost. */
function Before({ file, onStart, onClose }: BeforeProps) {
  const { titles, emailColumn, ipColumn, windows1252 } = file;
  const rows = file.rows.length;
  const { quota } = useProject();
  const left = Math.max(0, quota.limit - quota.used);
  return (
    <div className="grid gap-4">
      <p>
        <strong>{plural(rows, 'row')}.</strong> Each address uses one validation of the month’s quota:{' '}
        <strong>
          {count(left)} of {count(quota.limit)} are left
        </strong>{' '}
        until {dayOf(Date.parse(quota.resetAt))}.
      </p>
      <p className="text-soft">
        Checked is the column <strong>{titles[emailColumn]}</strong>, which begins with{' '}
        <span className="wrap-anywhere">{file.rows[0]?.email || 'an empty cell'}</span>.{' '}
        {ipColumn < 0 ? (
          'No column has IP addresses.'
        ) : (
          <>
            IP addresses come from the column <strong>{titles[ipColumn]}</strong>.
          </>
        )}
      </p>
      {windows1252 && (
        <Notice kind="note">
          The file is not UTF-8. It was read as Windows-1252, as older spreadsheets write.
        </Notice>
      )}
      {left === 0 && (
        <Notice kind="bad">
          The quota is used up. Raise it in the settings, or wait for the next month.
        </Notice>
      )}
      {left > 0 && rows > left && (
        <Notice kind="warn">
          The quota may end before the file does. What was checked until then can be downloaded.
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" disabled={left === 0} onClick={onStart}>
          Check {plural(rows, 'row')}
        </Button>
        <Button onClick={onClose}>Choose another file</Button>
      </div>
    </div>
  );
}
