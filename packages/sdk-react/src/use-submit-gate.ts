import { type EmailField, type EmailFieldState, joinSubmitGate } from '@postern/sdk-browser';
import { useCallback, useMemo, useRef } from 'react';

export interface SubmitGateBinding {
  readonly verdictRef: (element: HTMLInputElement | null) => void;
  /** Written directly into the page, because the form may be submitted before React renders again. */
  readonly writeVerdict: (state: EmailFieldState) => void;
  /** Whether the gate let this submit through. Answers `true` once. */
  readonly takePassed: () => boolean;
  /** Whether the form was submitted since the last call. */
  readonly takeSubmitted: () => boolean;
}

/**
 * Delays the submit of the form with the hidden verdict field, as `attach()` does. Without that field it does nothing.
 */
export function useSubmitGate(
  field: EmailField,
  input: { readonly current: HTMLInputElement | null },
): SubmitGateBinding {
  const verdictInput = useRef<HTMLInputElement | null>(null);
  const leave = useRef<() => void>(() => {});
  const passed = useRef(false);
  const submitted = useRef(false);

  const verdictRef = useCallback(
    (element: HTMLInputElement | null) => {
      leave.current();
      leave.current = () => {};
      verdictInput.current = element;
      if (!element?.form) return;
      const gated: EmailField = {
        ...field,
        submitted: () => {
          field.submitted();
          passed.current = true;
          submitted.current = true;
          // The form’s own handlers run before this.
          setTimeout(() => {
            passed.current = false;
          });
        },
      };
      const nowhere = document.createElement('input');
      leave.current = joinSubmitGate(element.form, {
        get input() {
          return input.current ?? nowhere;
        },
        field: gated,
      });
    },
    [field, input],
  );
  const writeVerdict = useCallback((state: EmailFieldState) => {
    if (verdictInput.current !== null) verdictInput.current.value = state.validation?.verdict ?? '';
  }, []);

  return useMemo(
    () => ({
      verdictRef,
      writeVerdict,
      takePassed: () => take(passed),
      takeSubmitted: () => take(submitted),
    }),
    [verdictRef, writeVerdict],
  );
}

function take(flag: { current: boolean }): boolean {
  const { current } = flag;
  flag.current = false;
  return current;
}
