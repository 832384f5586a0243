import type { ListName } from '@postern/contract/dashboard';
import type { FormEvent } from 'react';
import { Button } from './button.tsx';
import { type ListedWhat, listEffect, listedText } from './list-effect.ts';
import { useListTerms } from './list-terms.tsx';
import { Modal } from './modal.tsx';
import { Notice } from './notice.tsx';
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
  const terms = useListTerms();
  const change = useListChange(projectId);
  const verb = VERBS[target.list];
  const { list, what, value, name = value } = target;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(
      {
        changes: [{ list, add: { value, ...terms.entry() } }],
        successText: listedText(list, name, terms.howLong),
      },
      { onSuccess: onClose },
    );
  };
  return (
    <Modal title={`${verb} this ${what}`} onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <p className="font-mono wrap-anywhere">{name}</p>
        <p className="text-soft">{listEffect(list, what, name, terms.howLong)}</p>
        {terms.fields}
        {target.warning !== undefined && <Notice kind="note">{target.warning}</Notice>}
        {change.error !== null && <Notice kind="bad">{change.error.message}</Notice>}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" busy={change.isPending}>
            {verb}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
