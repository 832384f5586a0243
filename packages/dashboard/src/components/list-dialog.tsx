import type { ListName } from '@postern/contract/dashboard';
import { FormDialog } from './form-dialog.tsx';
import { type ListedWhat, listEffect, listedText } from './list-effect.ts';
import { useListTerms } from './list-terms.tsx';
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
  const submit = () => {
    change.mutate(
      {
        changes: [{ list, add: { value, ...terms.entry() } }],
        successText: listedText(list, name, terms.howLong),
      },
      { onSuccess: onClose },
    );
  };
  return (
    <FormDialog
      title={`${verb} this ${what}`}
      action={verb}
      busy={change.isPending}
      error={change.error?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="font-mono wrap-anywhere">{name}</p>
      <p className="text-soft">{listEffect(list, what, name, terms.howLong)}</p>
      {terms.fields}
      {target.warning !== undefined && <Notice kind="note">{target.warning}</Notice>}
    </FormDialog>
  );
}
