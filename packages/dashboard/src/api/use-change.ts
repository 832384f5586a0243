import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { showToast } from '../components/toasts.tsx';

interface Change<Input, Answer> {
  readonly send: (input: Input) => Promise<Answer>;
  /** What is no longer true after it. */
  readonly invalidates?: readonly QueryKey[];
  /** What to tell the person once it is done. */
  readonly says?: string;
  readonly onDone?: (answer: Answer, input: Input) => void;
}

/** One change on the service: sent, told, and everything that it invalidates is read again. */
export function useChange<Input = void, Answer = unknown>(change: Change<Input, Answer>) {
  const queryClient = useQueryClient();
  return useMutation<Answer, Error, Input>({
    mutationFn: change.send,
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
