import { useMutation } from '@tanstack/react-query';
import { showToast, showUndo } from '../components/toasts.tsx';
import { ApiFailure, failureText } from './client.ts';
import { useReadAgain } from './use-read-again.ts';

interface Change<Input, Answer> {
  readonly send: (input: Input) => Promise<Answer>;
  /** The form shows the error itself, so no toast is shown for it. */
  readonly inline?: boolean;
  /** The message to show when it is done. */
  readonly successText?: string;
  /** Offers Undo for ten seconds. */
  readonly undo?: (answer: Answer, input: Input) => Undo | undefined;
  readonly onDone?: (answer: Answer, input: Input) => void;
}

interface Undo {
  readonly text: string;
  readonly back: () => Promise<unknown>;
}

/** Undoes a change, and says what came of it: the text that it gives, if it gives one. */
export function useTakeBack() {
  const readAgain = useReadAgain();
  return async (back: Undo['back']): Promise<void> => {
    try {
      const said = await back();
      showToast(typeof said === 'string' ? said : 'The change is undone.');
    } catch (error) {
      showToast(failureText(error), true);
    }
    await readAgain();
  };
}

/** Sends a change, shows a message when it is done, and reads again what is shown. */
export function useChange<Input = void, Answer = unknown>(change: Change<Input, Answer>) {
  const readAgain = useReadAgain();
  const takeBack = useTakeBack();
  const mutation = useMutation<Answer, Error, Input>({
    mutationFn: change.send,
    meta: { quiet: change.inline === true },
    onError: (error) => {
      // Somebody else changed or deleted it first. The page then shows what they did.
      if (error instanceof ApiFailure && [404, 409].includes(error.status)) void readAgain();
    },
    onSuccess: async (answer, input) => {
      if (change.successText !== undefined) showToast(change.successText);
      const undo = change.undo?.(answer, input);
      if (undo !== undefined) showUndo(undo.text, () => void takeBack(undo.back));
      change.onDone?.(answer, input);
      await readAgain();
    },
  });
  return { ...mutation, error: shownError(mutation.error) };
}

/** Hides the error of an ended session. The sign-in dialog says it, and a form would still show it after signing in. */
function shownError(error: Error | null): Error | null {
  return error instanceof ApiFailure && error.sessionEnded ? null : error;
}
