import { DAY_MS } from '@postern/contract';
import type { ListName } from '@postern/contract/dashboard';
import { type FormEvent, useState } from 'react';
import { Button } from './button.tsx';
import { plural } from './format.ts';
import { type ListedWhat, listEffect, listedText } from './list-effect.ts';
import { Modal } from './modal.tsx';
import { Notice } from './notice.tsx';
import { SelectField, TextField } from './text-field.tsx';
import { useListChange } from './use-list-change.ts';

/** What an action is about. */
export interface ListTarget {
  readonly list: ListName;
  readonly what: ListedWhat;
  /** The entry. */
  readonly value: string;
  /** What people call it, if the entry is a hash. */
  readonly name?: string;
  /** What to consider before adding it. */
  readonly warning?: string;
}

interface ListDialogProps {
  projectId: string;
  target: ListTarget;
  onClose: () => void;
}

const VERBS = { allowList: 'Always allow', blockList: 'Block' } as const;

/** Says what the entry will do, and asks for a reason and an end date. */
export function ListDialog({ projectId, target, onClose }: ListDialogProps) {
  const [note, setNote] = useState('');
  const [days, setDays] = useState('');
  const change = useListChange(projectId);
  const verb = VERBS[target.list];
  const { list, what, value, name = value } = target;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const add = {
      value,
      ...(note.trim() !== '' && { note: note.trim() }),
      ...(days !== '' && { expiresAt: Date.now() + Number(days) * DAY_MS }),
    };
    change.mutate(
      {
        changes: [{ list, add }],
        successText: listedText(
          list,
          name,
          days === '' ? 'from now on' : `for ${plural(Number(days), 'day')}`,
        ),
      },
      { onSuccess: onClose },
    );
  };
  return (
    <Modal title={`${verb} this ${what}`} onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <p className="font-mono wrap-anywhere">{name}</p>
        <p className="text-soft">{listEffect(list, what, name)}</p>
        <TextField label="Why (optional)" maxLength={200} value={note} onChange={setNote} />
        <SelectField
          label="Until"
          value={days}
          options={[
            ['', 'No end date'],
            ['1', 'In 1 day'],
            ['7', 'In 7 days'],
            ['30', 'In 30 days'],
          ]}
          onChange={setDays}
        />
        {target.warning !== undefined && <Notice kind="note">{target.warning}</Notice>}
        {change.error !== null && <Notice kind="bad">{change.error.message}</Notice>}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button variant={list === 'blockList' ? 'danger' : 'primary'} type="submit" busy={change.isPending}>
            {verb}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
