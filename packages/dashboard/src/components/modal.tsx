import { Dialog } from '@base-ui/react/dialog';
import { clsx } from 'clsx';
import { type ReactNode, useRef } from 'react';
import { X } from '../icons.ts';

interface ModalProps {
  title: ReactNode;
  /** If absent, the dialog stays until it is no longer rendered. */
  onClose?: () => void;
  /** A click beside the dialog does not close it, because what it shows cannot be shown again. */
  shownOnce?: boolean;
  children: ReactNode;
  /** A panel at the right edge instead of a box in the middle. */
  drawer?: boolean;
  wide?: boolean;
}

const FIRST_FIELD = 'input:not([type=radio]), textarea, select';

/** A modal dialog. Render it to open it. */
export function Modal({
  title,
  onClose,
  shownOnce = false,
  children,
  drawer = false,
  wide = false,
}: ModalProps) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open disablePointerDismissal={shownOnce} onOpenChange={(open) => !open && onClose?.()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-backdrop" />
        <Dialog.Popup
          ref={popup}
          // A form starts in its first field. On a touch screen that would open the keyboard.
          initialFocus={(type) =>
            (type !== 'touch' && popup.current?.querySelector<HTMLElement>(FIRST_FIELD)) || true
          }
          className={clsx(drawer ? 'drawer' : 'modal', wide && '[--modal-width:56rem]')}
        >
          <div className="sticky top-0 z-10 flex items-center justify-between gap-3 border-b border-line bg-surface px-5 py-3">
            <Dialog.Title className="min-w-0 text-[1.05rem] font-semibold">{title}</Dialog.Title>
            {onClose !== undefined && (
              <Dialog.Close
                aria-label="Close"
                className="-mr-1.5 rounded-md p-1.5 text-faint hover:bg-hover hover:text-ink"
              >
                <X size={18} />
              </Dialog.Close>
            )}
          </div>
          <div className="p-5">{children}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
