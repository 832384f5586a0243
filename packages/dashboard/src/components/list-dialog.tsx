import type { ListName } from '@postern/contract/dashboard';
import { type FormEvent, useState } from 'react';
import { useProject } from '../api/use-project.ts';
import { blockListEffect, blockListHint, checkOfEntry } from './block-list-effect.ts';
import { Button } from './button.tsx';
import { Modal } from './modal.tsx';
import { Notice } from './notice.tsx';
import { SelectField, TextField } from './text-field.tsx';
import { DAY_MS } from './time-range.ts';
import { useListChange } from './use-list-change.ts';

/** What an action is about. `inbox`: an address that the person has to type, because the log does not keep it. */
export interface ListTarget {
  readonly list: ListName;
  readonly what: 'address' | 'domain' | 'network';
  /** The domain or the network. */
  readonly value?: string;
  readonly inbox?: string;
  /** What to consider before adding it. */
  readonly warning?: string;
}

interface ListDialogProps {
  projectId: string;
  target: ListTarget;
  onClose: () => void;
}

const VERBS = { allowList: 'Always allow', blockList: 'Block' } as const;

/** Asks for a reason and an end date, and for the address if the entry is one. */
export function ListDialog({ projectId, target, onClose }: ListDialogProps) {
  const [value, setValue] = useState(target.value ?? '');
  const [note, setNote] = useState('');
  const [days, setDays] = useState('');
  const change = useListChange(projectId);
  const verb = VERBS[target.list];
  const { policy } = useProject();
  const check = checkOfEntry(target.what);
  const hint = target.list === 'blockList' ? blockListHint(policy, check) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const add = {
      value: value.trim(),
      ...(note.trim() !== '' && { note: note.trim() }),
      ...(days !== '' && { expiresAt: Date.now() + Number(days) * DAY_MS }),
    };
    change.mutate(
      {
        changes: [{ list: target.list, add }],
        inbox: target.inbox,
        successText:
          target.list === 'allowList'
            ? 'It is always allowed from now on.'
            : blockListEffect(policy, check, 'It', 'from now on'),
      },
      { onSuccess: onClose },
    );
  };
  return (
    <Modal title={`${verb} this ${target.what}`} onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        {target.what === 'address' ? (
          <TextField
            label="The address"
            hint="The log does not keep addresses. Type it in; the service checks that it belongs to this sign-up."
            type="email"
            autoComplete="off"
            required
            value={value}
            onChange={setValue}
          />
        ) : (
          <p className="font-mono wrap-anywhere">{value}</p>
        )}
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
        {hint !== undefined && <Notice kind="note">{hint}</Notice>}
        {change.error !== null && <Notice kind="bad">{change.error.message}</Notice>}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant={target.list === 'blockList' ? 'danger' : 'primary'}
            type="submit"
            busy={change.isPending}
          >
            {verb}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
