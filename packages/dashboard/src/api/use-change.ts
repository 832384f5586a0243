import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { showToast } from '../components/toasts.tsx';

interface Change<Input, Answer> {
  readonly send: (input: Input) => Promise<Answer>;
  /** The form shows the error itself, so that no toast repeats it. */
  readonly inline?: boolean;
  /** Queries to read again after it. */
  readonly invalidates?: readonly QueryKey[];
  /** The toast once it is done. */
  readonly says?: string;
  readonly onDone?: (answer: Answer, input: Input) => void;
}

/** Sends a change, says that it is done and reads again what it invalidates. */
export function useChange<Input = void, Answer = unknown>(change: Change<Input, Answer>) {
  const queryClient = useQueryClient();
  return useMutation<Answer, Error, Input>({
    mutationFn: change.send,
    meta: { quiet: change.inline === true },
    onSuccess: async (answer, input) => {
      if (change.says !== undefined) showToast(change.says);
      change.onDone?.(answer, input);
      await Promise.all(
        [...(change.invalidates ?? []), ['audit']].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      );
    },
  });
}
