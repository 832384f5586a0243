import type { ListName } from '@postern/contract/dashboard';
import { FormDialog } from './form-dialog.tsx';
import { type ListedWhat, listEffect, listedText } from './list-effect.ts';
import { useListTerms } from './list-terms.tsx';
import { Notice } from './notice.tsx';
import { useListChange } from './use-list-change.ts';
import { useReach } from './use-reach.tsx';

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
  onDone?: () => void;
  onClose: () => void;
}

const VERBS = { allowList: 'Always allow', blockList: 'Block' } as const;

/** Strangers come and go in networks, so entries for them should end. */
const SHORT_LIVED: readonly string[] = ['network', 'operator', 'country'] satisfies ListedWhat[];

/** Says what the entry will do and whom it concerns, and asks for a reason and an end date. */
export function ListDialog({ projectId, target, onDone, onClose }: ListDialogProps) {
  const terms = useListTerms('', SHORT_LIVED.includes(target.what) ? 1 : undefined);
  const change = useListChange(projectId);
  const verb = VERBS[target.list];
  const { list, what, value, name = value } = target;
  const reach = useReach(projectId, [value], name);
  const submit = () => {
    change.mutate(
      {
        changes: [{ list, add: { value, ...terms.entry() } }],
        successText: listedText(list, name, terms.howLong),
      },
      {
        onSuccess: () => {
          onDone?.();
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={`${verb} this ${what}`}
      action={verb}
      busy={change.isPending}
      disabled={!reach.ready}
      error={change.error?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="font-mono wrap-anywhere">{name}</p>
      <p className="text-soft">{listEffect(list, what, name, terms.howLong)}</p>
      {target.warning !== undefined && <Notice kind="note">{target.warning}</Notice>}
      {reach.shown}
      {terms.fields}
    </FormDialog>
  );
}
