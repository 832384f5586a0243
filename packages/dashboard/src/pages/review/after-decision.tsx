import type { JudgementUndo, ReviewDecisionRequest, ReviewRow } from '@postern/contract/dashboard';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import type { ListTarget } from '../../components/list-dialog.tsx';
import { ListDialog } from '../../components/list-dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { Key } from './key-help.tsx';

export interface Decided {
  readonly row: ReviewRow;
  readonly decision: ReviewDecisionRequest['decision'];
  /** When the key was pressed. */
  readonly at: number;
  /** Takes it back. */
  readonly undo: readonly JudgementUndo[];
}

interface AfterDecisionProps {
  projectId: string;
  decided: Decided;
  onUndo: () => void;
  onClose: () => void;
}

/** A decision is about one sign-up. This offers to add the person or the domain to a list. */
export function AfterDecision({
  projectId,
  decided: { row, decision },
  onUndo,
  onClose,
}: AfterDecisionProps) {
  const [target, setTarget] = useState<ListTarget | undefined>();
  const passed = decision === 'passed';
  const list = decision === 'good' ? 'allowList' : 'blockList';
  const verb = decision === 'good' ? 'Always allow' : 'Block';
  // One person says nothing about a large provider, and a good one does not make a throwaway service good.
  const offersDomain = !row.mailProvider && (decision === 'bad' || !row.failed.includes('disposable'));
  return (
    <>
      <Notice
        kind="good"
        action={
          <div className="flex flex-wrap gap-2">
            {!passed && (
              <Button
                small
                onClick={() =>
                  setTarget({ list, what: 'person', value: `person:${row.inbox}`, name: row.maskedAddress })
                }
              >
                {verb} this person…
              </Button>
            )}
            {!passed && offersDomain && (
              <Button small onClick={() => setTarget({ list, what: 'domain', value: row.domain })}>
                {verb} {row.domain}…
              </Button>
            )}
            <Button small aria-keyshortcuts="u" onClick={onUndo}>
              Undo <Key name="u" />
            </Button>
            <Button small variant="quiet" onClick={onClose}>
              {passed ? 'Close' : 'No'}
            </Button>
          </div>
        }
      >
        {row.maskedAddress}{' '}
        {passed
          ? 'is left to the other members for seven days.'
          : `is marked as ${decision}. Do you want to apply this to future sign-ups too?`}
      </Notice>
      {target !== undefined && (
        <ListDialog
          projectId={projectId}
          target={target}
          onClose={() => {
            setTarget(undefined);
            onClose();
          }}
        />
      )}
    </>
  );
}
