import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { usePermissions } from '../../api/use-session.ts';
import { FileDrop } from '../../components/file-drop.tsx';
import { plural } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';

const LINES_SHOWN = 10;

/** Records the outcomes of a CSV file. The service reads it, and hashes the addresses. */
export function UploadOutcomes({ projectId }: { projectId: string }) {
  const may = usePermissions();
  const upload = useChange({
    inline: true,
    send: async (file: File) =>
      api('POST /projects/:id/outcomes/import', { id: projectId }, { body: { file: await file.text() } }),
    invalidates: [['outcomes', projectId], ['review', projectId], ['overview', projectId], ['person']],
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
