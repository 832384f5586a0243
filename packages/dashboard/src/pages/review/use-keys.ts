import { useEffect, useRef } from 'react';

const FIELDS = 'input:not([type=radio]), textarea, select, [contenteditable]';
/** Not `[role=dialog]`: a toast has that role too. */
const DIALOGS = '.modal, .drawer';

/** Calls the handler of a pressed key, unless the person is typing or a dialog is open. */
export function useKeys(handlers: Readonly<Record<string, () => void>>): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || event.repeat) return;
      if (event.target instanceof Element && event.target.closest(FIELDS) !== null) return;
      if (document.querySelector(DIALOGS) !== null) return;
      const handler = latest.current[event.key];
      if (handler === undefined) return;
      event.preventDefault();
      handler();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
