/** React marks a form or button whose action is a function like this. */
const ACTION = '[action^="javascript:"]';
const ACTION_INSIDE = '[formaction^="javascript:"], [name^="$ACTION"]';

/** Resets a field together with its form. A framework itself keeps the value of an input that it renders. */
export function onFormReset(
  input: HTMLInputElement,
  { takeSubmitted, reset }: { takeSubmitted: () => boolean; reset: () => void },
): () => void {
  const onReset = (event: Event) => {
    const { form } = input;
    if (!form || event.target !== form) return;
    // React 19 resets a form after each action, also after one that failed. The address must stay then.
    const isAction = form.matches(ACTION) || form.querySelector(ACTION_INSIDE) !== null;
    if (isAction && takeSubmitted()) return;
    // The page may still cancel the event.
    setTimeout(() => {
      if (!event.defaultPrevented) reset();
    });
  };
  document.addEventListener('reset', onReset);
  return () => document.removeEventListener('reset', onReset);
}
