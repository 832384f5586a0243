import { useBlocker } from '@tanstack/react-router';

/** Asks before the page is left with changes that are not saved. `what` begins the question, such as “The name”. */
export function useAskBeforeLeaving(what: string, changed: boolean): void {
  useBlocker({
    shouldBlockFn: () =>
      changed && !window.confirm(`${what} has changes that are not saved. Leave the page?`),
    enableBeforeUnload: () => changed,
  });
}
