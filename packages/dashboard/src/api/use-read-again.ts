import { useQueryClient } from '@tanstack/react-query';

/** Reads everything that is shown again, after a change that can show in many places. */
export function useReadAgain(): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    // A first read that is still under way would bring what was true before the change.
    await queryClient.cancelQueries({
      predicate: (query) => query.isActive() && query.state.data === undefined,
    });
    await queryClient.invalidateQueries();
  };
}
