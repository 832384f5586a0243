import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { showToast } from '../components/toasts.tsx';
import { ApiFailure } from './client.ts';

interface Change<Input, Answer> {
  readonly send: (input: Input) => Promise<Answer>;
  /** The form shows the error itself, so that no toast repeats it. */
  readonly inline?: boolean;
  /** Queries to reload after it. */
  readonly invalidates?: readonly QueryKey[];
  /** The message to show when it is done. */
  readonly successText?: string;
  readonly onDone?: (answer: Answer, input: Input) => void;
}

/** Sends a change, shows a message when it is done, and reloads the queries that it invalidates. */
export function useChange<Input = void, Answer = unknown>(change: Change<Input, Answer>) {
  const queryClient = useQueryClient();
  const mutation = useMutation<Answer, Error, Input>({
    mutationFn: change.send,
    meta: { quiet: change.inline === true },
    onSuccess: async (answer, input) => {
      if (change.successText !== undefined) showToast(change.successText);
      change.onDone?.(answer, input);
      await Promise.all(
        [...(change.invalidates ?? []), ['audit']].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      );
    },
  });
  return { ...mutation, error: shownError(mutation.error) };
}

/** A form does not show that the session has ended: the sign-in says so, and the message would stay after it. */
export function shownError(error: Error | null): Error | null {
  return error instanceof ApiFailure && error.sessionEnded ? null : error;
}
