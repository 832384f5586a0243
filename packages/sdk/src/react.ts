import { useCallback, useEffect, useRef, useState } from 'react';
import { type AttachOptions, attach, CHANGE_EVENT } from './attach.ts';
import type { EmailFieldState, ValidationClient } from './core.ts';

export interface ProtectedForm {
  /** For the `<form>`. */
  readonly ref: (form: HTMLFormElement | null) => void;
  /** What the email field shows, for elements of your own; `null` before the first change. */
  readonly state: EmailFieldState | null;
}

/**
 * Protects a form: `<form ref={usePostern(client).ref}>`. Create the client once, outside of components. The options are
 * read when the form appears.
 */
export function usePostern(client: ValidationClient, options: AttachOptions = {}): ProtectedForm {
  const [state, setState] = useState<EmailFieldState | null>(null);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const end = useRef(() => {});
  const ref = useCallback(
    (form: HTMLFormElement | null) => {
      end.current();
      end.current = () => {};
      if (form === null) return;
      const onChange = (event: Event) => setState((event as CustomEvent<EmailFieldState>).detail);
      form.addEventListener(CHANGE_EVENT, onChange);
      const { detach } = attach(client, form, latest.current);
      end.current = () => {
        form.removeEventListener(CHANGE_EVENT, onChange);
        detach();
      };
    },
    [client],
  );
  return { ref, state };
}
