import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { usePermissions } from '../../api/use-session.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FileDrop } from '../../components/file-drop.tsx';
import { plural } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { Scale } from '../../icons.ts';

interface HowToReportProps {
  projectId: string;
  /** How many people were validated in the period, such as “40 people were”. */
  validated: string;
  short?: boolean;
}

const curl = (projectId: string) => `curl -s ${window.location.origin}/v1/outcomes \\
  -H 'Authorization: Bearer YOUR_SERVER_KEY' \\
  -H 'X-Project-Id: ${projectId}' \\
  -H 'Content-Type: application/json' \\
  -d '{"outcomes": [
    {"email": "jane.doe@example.com", "outcome": "good"},
    {"email": "mallory@example.net", "outcome": "bad", "reason": "chargeback"}
  ]}'`;

const csv = (projectId: string) => `cat > outcomes.csv <<END
email,outcome,reason
jane.doe@example.com,good,
mallory@example.net,bad,chargeback
END
npx postern outcomes import outcomes.csv --project ${projectId}`;

/** How to report who turned out good or bad. */
export function HowToReport({ projectId, validated, short = false }: HowToReportProps) {
  const ways = (
    <div className="grid min-w-0 grid-cols-1 gap-4 text-left">
      <UploadOutcomes projectId={projectId} />
      <Way title="From your backend" code={curl(projectId)} label="curl command" />
      <Way title="From a file, on the command line" code={csv(projectId)} label="import command" />
      <p className="text-[0.9rem] text-soft">
        <strong>good</strong>: proved to be a real customer. <strong>bad</strong>: fraud, spam, chargeback or
        bounce. Addresses are hashed on arrival and never stored. Decisions in the review queue count too.
      </p>
    </div>
  );
  if (short) return ways;
  return (
    <div className="card min-w-0 px-4 pb-6 sm:px-8">
      <EmptyState icon={Scale} title="No outcomes yet">
        {validated} validated in this period, and no outcomes were reported. Report who turned out to be a
        good customer and who did not. After about 30 people, this page shows which signals were right and
        suggests policy changes.
      </EmptyState>
      <div className="mx-auto max-w-3xl">
        <h2 className="sr-only">Ways to report</h2>
        {ways}
      </div>
    </div>
  );
}

function Way({ title, code, label }: { title: string; code: string; label: string }) {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-1.5">
      <h3 className="text-[0.9333rem] font-medium">{title}</h3>
      <CodeBlock code={code} label={label} />
    </div>
  );
}

const LINES_SHOWN = 10;

/** Records the outcomes of a CSV file. The service reads it, and hashes the addresses. */
function UploadOutcomes({ projectId }: { projectId: string }) {
  const may = usePermissions();
  const upload = useChange({
    inline: true,
    send: async (file: File) =>
      api('POST /projects/:id/outcomes/import', { id: projectId }, { body: { file: await file.text() } }),
  });
  if (!may.decide) return null;
  const { data } = upload;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2">
      <h3 className="text-[0.9333rem] font-medium">Upload a file</h3>
      <FileDrop onFile={upload.mutate} />
      <p className="text-[0.8667rem] text-soft">
        The first line names the columns: <code>email</code> or <code>requestId</code>, <code>outcome</code>{' '}
        (accepted, good or bad), and if you like <code>reason</code> and <code>at</code>.
      </p>
      {upload.isPending && <p role="status">Recording the outcomes…</p>}
      {upload.error !== null && <Notice kind="bad">{upload.error.message}</Notice>}
      {data !== undefined && !upload.isPending && (
        <Notice kind="good">
          {plural(data.recorded, 'outcome is', 'outcomes are')} recorded.{' '}
          {data.unknownLines.length > 0 &&
            `${plural(data.unknownLines.length, 'line matches', 'lines match')} nobody whom the project has seen: ${data.unknownLines.slice(0, LINES_SHOWN).join(', ')}${data.unknownLines.length > LINES_SHOWN ? '…' : ''}.`}
        </Notice>
      )}
    </div>
  );
}
