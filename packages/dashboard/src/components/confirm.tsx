import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Modal } from './modal.tsx';
import { Notice } from './notice.tsx';
import { TextField } from './text-field.tsx';

interface ConfirmProps {
  title: string;
  children: ReactNode;
  action: string;
  busy: boolean;
  error?: string | undefined;
  /** What the user has to type to confirm. If absent, a click is enough. */
  typed?: string;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for confirmation before something that cannot be undone. */
export function Confirm(props: ConfirmProps) {
  const [text, setText] = useState('');
  const ready = props.typed === undefined || text.trim() === props.typed;
  return (
    <Modal title={props.title} onClose={props.onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) props.onConfirm();
        }}
      >
        <div className="grid gap-2 text-soft">{props.children}</div>
        {props.typed !== undefined && (
          <TextField
            label={
              <>
                Type <span className="font-mono">{props.typed}</span> to confirm
              </>
            }
            autoComplete="off"
            value={text}
            onChange={setText}
          />
        )}
        {props.error !== undefined && <Notice kind="bad">{props.error}</Notice>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={props.onClose}>Cancel</Button>
          <Button variant="danger" type="submit" busy={props.busy} disabled={!ready}>
            {props.action}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
