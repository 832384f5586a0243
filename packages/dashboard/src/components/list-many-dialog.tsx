import type { ListName } from '@postern/contract/dashboard';
import { useState } from 'react';
import { CheckBox } from './check-box.tsx';
import { Choice } from './choice.tsx';
import { FormDialog } from './form-dialog.tsx';
import { plural } from './format.ts';
import { capital, OTHER_LIST } from './list-effect.ts';
import { useListTerms } from './list-terms.tsx';
import { useListChange } from './use-list-change.ts';
import { useReach } from './use-reach.tsx';

/** Some things of one kind that can be put on a list together. */
export interface ListedPart {
  readonly what: 'people' | 'devices' | 'domains' | 'networks';
  readonly label: string;
  /** Follows “every sign-up”. */
  readonly covers: string;
  /** The entries. */
  readonly values: readonly string[];
}

interface ListManyDialogProps {
  projectId: string;
  title: string;
  parts: readonly ListedPart[];
  /** What is ticked at first. */
  chosen: readonly ListedPart['what'][];
  /** The reason that is proposed. */
  note: string;
  onClose: () => void;
}

const ANSWERS = { allowList: 'allow', blockList: 'block' } as const;
const LISTS = { allowList: 'allow list', blockList: 'block list' } as const;

/** Adds people, devices, domains and networks to a list, and says before what that will do. */
export function ListManyDialog(props: ListManyDialogProps) {
  const { projectId, title, parts, onClose } = props;
  const [list, setList] = useState<ListName>('blockList');
  const [chosen, setChosen] = useState(props.chosen);
  const terms = useListTerms(props.note);
  const change = useListChange(projectId);
  const picked = parts.filter(({ what }) => chosen.includes(what));
  const values = picked.flatMap((part) => part.values);
  const reach = useReach(projectId, values, ANSWERS[list]);
  const entries = plural(values.length, 'entry', 'entries');
  const submit = () => {
    const shared = terms.entry();
    change.mutate(
      {
        changes: values.map((value) => ({ list, add: { value, ...shared } })),
        successText: `${entries} added to the ${LISTS[list]}: the answer is “${ANSWERS[list]}” ${terms.howLong}.`,
      },
      { onSuccess: onClose },
    );
  };
  const toggle = (what: ListedPart['what'], on: boolean) =>
    setChosen(on ? [...chosen, what] : chosen.filter((other) => other !== what));
  return (
    <FormDialog
      title={title}
      action={`Add ${entries}`}
      busy={change.isPending}
      disabled={!reach.ready}
      error={change.error?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <Choice
        label="Answer with"
        value={list}
        options={{ blockList: 'Block', allowList: 'Allow' }}
        onChange={setList}
      />
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-[0.8667rem] font-medium">What to list</legend>
        {parts.map((part) => (
          <CheckBox
            key={part.what}
            checked={chosen.includes(part.what)}
            onChange={(on) => toggle(part.what, on)}
          >
            {part.label}
          </CheckBox>
        ))}
      </fieldset>
      <p className="text-soft">
        {values.length === 0
          ? 'Nothing is chosen.'
          : `This adds ${entries} to the ${LISTS[list]}. ${capital(terms.howLong)}, every sign-up ${joined(picked.map(({ covers }) => covers))} is answered with “${ANSWERS[list]}”, whatever the checks find. ${OTHER_LIST} Undo takes all of it back.`}
      </p>
      {reach.shown}
      {terms.fields}
    </FormDialog>
  );
}

const joined = (texts: readonly string[]) => new Intl.ListFormat('en', { type: 'disjunction' }).format(texts);
