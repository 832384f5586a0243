import type { JudgementUndo, ReviewRow } from '@postern/contract/dashboard';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import type { ListTarget } from '../../components/list-dialog.tsx';
import { ListDialog } from '../../components/list-dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { useUndoJudgements } from '../../components/use-judge.ts';
import { Key } from './key-help.tsx';

export interface Decided {
  readonly row: ReviewRow;
  readonly decision: 'good' | 'bad';
  /** Takes it back. */
  readonly undo: readonly JudgementUndo[];
}

interface AfterDecisionProps {
  projectId: string;
  decided: Decided;
  onClose: () => void;
}

/** A decision is about one sign-up. This offers to add the person or the domain to a list. */
export function AfterDecision({ projectId, decided: { row, decision, undo }, onClose }: AfterDecisionProps) {
  const takeBack = useUndoJudgements(projectId);
  const [target, setTarget] = useState<ListTarget | undefined>();
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
            <Button
              small
              onClick={() =>
                setTarget({ list, what: 'person', value: `person:${row.inbox}`, name: row.maskedAddress })
              }
            >
              {verb} this person…
            </Button>
            {offersDomain && (
              <Button small onClick={() => setTarget({ list, what: 'domain', value: row.domain })}>
                {verb} {row.domain}…
              </Button>
            )}
            <Button
              small
              aria-keyshortcuts="u"
              onClick={() => {
                onClose();
                void takeBack(undo);
              }}
            >
              Undo <Key name="u" />
            </Button>
            <Button small variant="quiet" onClick={onClose}>
              No
            </Button>
          </div>
        }
      >
        {row.maskedAddress} is marked as {decision}. Do you want to apply this to future sign-ups too?
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
