import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';

interface ModalProps {
  title: ReactNode;
  onClose: () => void;
  children: ReactNode;
  /** A panel at the right edge instead of a box in the middle. */
  drawer?: boolean;
  wide?: boolean;
}

/**
 * The browser’s own modal dialog: it keeps the focus inside, closes on Escape, hides the rest from screen readers
 * and gives the focus back. Render it to open it.
 */
export function Modal({ title, onClose, children, drawer = false, wide = false }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    const opener = document.activeElement;
    element.showModal();
    return () => {
      element.close();
      // A dialog that leaves the page with its element cannot do this itself.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    };
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the dialog is an extra; Escape is the keyboard’s way.
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={clsx(drawer ? 'drawer' : 'modal', wide && '[--modal-width:56rem]')}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className="sticky top-0 z-10 flex items-center justify-between gap-3 border-b border-line bg-surface px-5 py-3">
        <h2 id={titleId} className="min-w-0 text-[1.05rem] font-semibold">
          {title}
        </h2>
        <button
          type="button"
          aria-label="Close"
          className="-mr-1.5 rounded-md p-1.5 text-faint hover:bg-hover hover:text-ink"
          onClick={onClose}
        >
          <X size={18} aria-hidden="true" />
        </button>
      </div>
      <div className="p-5">{children}</div>
    </dialog>
  );
}
