import type { BulkFile } from '@postern/contract/bulk-file';
import type { BulkEnd, BulkEvent, BulkResult } from '@postern/contract/dashboard';
import { useEffect, useRef, useState } from 'react';
import { apiLines, failureText } from '../../api/client.ts';
import { useReadAgain } from '../../api/use-read-again.ts';

export interface BulkProgress {
  readonly state: 'ready' | 'running' | 'ended';
  /** In the order of the file; those that are missing at the end were not checked. */
  readonly results: readonly BulkResult[];
  /** Why it ended early, and what to do. */
  readonly message: string | undefined;
}

const READY: BulkProgress = { state: 'ready', results: [], message: undefined };
const BROKEN = 'The connection broke off. What was checked until then is in the result.';

/** Checks the rows of a file, from where the last run ended. */
export function useBulkRun(projectId: string, file: BulkFile | undefined) {
  const readAgain = useReadAgain();
  const [progress, setProgress] = useState(READY);
  const abort = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const run = async (rows: BulkFile['rows']) => {
    const before = progress.results;
    const cancel = new AbortController();
    abort.current = cancel;
    setProgress({ state: 'running', results: before, message: undefined });
    const results = [...before];
    let end: BulkEnd | undefined;
    let message: string | undefined;
    try {
      const asked = rows.slice(before.length).map(({ email, ip }) => ({ email, ...(ip !== '' && { ip }) }));
      const sent = { body: { rows: asked }, signal: cancel.signal };
      for await (const line of apiLines('POST /projects/:id/bulk', { id: projectId }, sent)) {
        const event = JSON.parse(line) as BulkEvent;
        if ('end' in event) {
          end = event;
          break;
        }
        results.push(...event.rows);
        setProgress({ state: 'running', results: [...results], message: undefined });
      }
      message = end === undefined ? BROKEN : (end.message ?? undefined);
    } catch (error) {
      if (cancel.signal.aborted) message = 'Cancelled. What was checked until then is in the result.';
      else message = results.length > before.length ? BROKEN : failureText(error);
    }
    setProgress({ state: 'ended', results, message });
    await readAgain();
  };

  return {
    progress,
    start: () => void (file !== undefined && run(file.rows)),
    cancel: () => abort.current?.abort(),
    reset: () => setProgress(READY),
  };
}
