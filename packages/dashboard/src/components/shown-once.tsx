import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { OnceSecret } from './code-block.tsx';
import { Modal } from './modal.tsx';
import { Notice } from './notice.tsx';

interface ShownOnceProps {
  title: string;
  secret: string;
  /** What the secret is called, as in “Copy key”. */
  label: string;
  warning: ReactNode;
  onClose: () => void;
  children?: ReactNode;
}

/** A new secret. It cannot be shown again, so the dialog does not close by accident. */
export function ShownOnce({ title, secret, label, warning, onClose, children }: ShownOnceProps) {
  return (
    <Modal title={title} shownOnce onClose={onClose}>
      <div className="grid grid-cols-1 gap-4">
        <OnceSecret value={secret} label={label} />
        <Notice kind="warn">{warning}</Notice>
        {children}
        <div className="flex justify-end">
          <Button variant="primary" onClick={onClose}>
            I have copied it
          </Button>
        </div>
      </div>
    </Modal>
  );
}
