import type { JudgementRequest, JudgementsRecorded, JudgementUndo } from '@postern/contract/dashboard';
import { api } from '../api/client.ts';
import { useChange, useTakeBack } from '../api/use-change.ts';
import { plural } from './format.ts';
import { showToast } from './toasts.tsx';

/** Says what people are, and offers Undo for ten seconds. */
export function useJudge(projectId: string) {
  return useChange({
    send: (request: JudgementRequest) =>
      api('POST /projects/:id/judge', { id: projectId }, { body: request }),
    undo: (answer, { outcome }) =>
      outcome === 'unknown'
        ? undefined
        : { text: recordedText(answer, outcome), back: () => undoJudgements(projectId, answer.undo) },
    onDone: (_answer, { outcome }) => {
      if (outcome === 'unknown')
        showToast('Taken back: nothing is known about this person. A flagged sign-up is in review again.');
    },
  });
}

/** Takes decisions back, and says what came of it. */
export function useUndoJudgements(projectId: string): (undo: readonly JudgementUndo[]) => Promise<void> {
  const takeBack = useTakeBack();
  return (undo) => takeBack(() => undoJudgements(projectId, undo));
}

async function undoJudgements(id: string, undo: readonly JudgementUndo[]): Promise<string> {
  const { undone } = await api('POST /projects/:id/judge/undo', { id }, { body: { undo: [...undo] } });
  return undone === undo.length
    ? 'The decision is taken back.'
    : `Taken back for ${undone} of ${plural(undo.length, 'person', 'people')}. Something newer is known about the others.`;
}

function recordedText({ good, bad }: JudgementsRecorded, outcome: JudgementRequest['outcome']): string {
  const people = [
    ...(good > 0 ? [`${plural(good, 'person counts', 'people count')} as good`] : []),
    ...(bad > 0 ? [`${plural(bad, 'person counts', 'people count')} as bad`] : []),
  ];
  return `${outcome === 'wrong' ? 'Marked as wrong' : 'Saved'}: ${people.join(', ')} from now on.`;
}
