import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Modal } from './modal.tsx';
import { Notice } from './notice.tsx';

export interface SentChange {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly mutate: () => void;
}

interface FormDialogProps {
  title: string;
  children: ReactNode;
  /** On the button that sends the form. */
  action: ReactNode;
  /** What it does cannot be undone. */
  danger?: boolean;
  /** What the button does. It also says whether that is under way, and why it failed. */
  change?: SentChange;
  busy?: boolean;
  disabled?: boolean;
  /** Why it failed, if no field says so. */
  error?: string | undefined;
  onSubmit?: () => void;
  onClose: () => void;
}

/** A dialog with a form, Cancel, and the button that sends it. */
export function FormDialog(props: FormDialogProps) {
  const { title, children, action, danger = false, change, disabled = false, onClose } = props;
  const { busy = change?.isPending === true, error = change?.error?.message } = props;
  const onSubmit = props.onSubmit ?? change?.mutate;
  return (
    <Modal title={title} onClose={onClose}>
      <form
        className="grid grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!disabled) onSubmit?.();
        }}
      >
        {children}
        {error !== undefined && <Notice kind="bad">{error}</Notice>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button variant={danger ? 'danger' : 'primary'} type="submit" busy={busy} disabled={disabled}>
            {action}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
