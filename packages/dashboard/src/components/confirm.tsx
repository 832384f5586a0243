import { type ReactNode, useState } from 'react';
import { FormDialog, type SentChange } from './form-dialog.tsx';
import { TextField } from './text-field.tsx';

interface ConfirmProps {
  title: string;
  children: ReactNode;
  action: string;
  change: SentChange;
  /** What the user has to type to confirm. If absent, a click is enough. */
  typed?: string;
  onClose: () => void;
}

/** Asks for confirmation before something that cannot be undone. */
export function Confirm(props: ConfirmProps) {
  const [text, setText] = useState('');
  const ready = props.typed === undefined || text.trim() === props.typed;
  return (
    <FormDialog
      title={props.title}
      action={props.action}
      danger
      change={props.change}
      disabled={!ready}
      onClose={props.onClose}
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
    </FormDialog>
  );
}
