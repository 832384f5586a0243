import { useEffect } from 'react';
import type { SubmitGateBinding } from './use-submit-gate.ts';

/** React marks a form or button whose action is a function like this. */
const ACTION = '[action^="javascript:"]';
const ACTION_INSIDE = '[formaction^="javascript:"], [name^="$ACTION"]';

/** Resets the field together with its form. React itself keeps the value of an input that it controls. */
export function useFormReset(
  input: { readonly current: HTMLInputElement | null },
  gate: SubmitGateBinding,
  reset: () => void,
): void {
  useEffect(() => {
    const onReset = (event: Event) => {
      const form = input.current?.form;
      if (!form || event.target !== form) return;
      // React 19 resets a form after each action, also after one that failed. The address must stay then.
      const isAction = form.matches(ACTION) || form.querySelector(ACTION_INSIDE) !== null;
      if (isAction && gate.takeSubmitted()) return;
      // The page may still cancel the event.
      setTimeout(() => {
        if (!event.defaultPrevented) reset();
      });
    };
    document.addEventListener('reset', onReset);
    return () => document.removeEventListener('reset', onReset);
  }, [input, gate, reset]);
}
