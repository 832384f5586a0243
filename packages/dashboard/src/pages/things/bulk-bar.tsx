import type { JudgementRequest, LinkedKind, ListName } from '@postern/contract/dashboard';
import { useState } from 'react';
import { usePermissions } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { count, plural } from '../../components/format.ts';
import { capital, OTHER_LIST } from '../../components/list-effect.ts';
import { useListTerms } from '../../components/list-terms.tsx';
import { useJudge } from '../../components/use-judge.ts';
import { useListChange } from '../../components/use-list-change.ts';
import { useReach } from '../../components/use-reach.tsx';
import { KINDS } from './read-things.ts';

interface BulkBarProps {
  projectId: string;
  kind: LinkedKind;
  names: ReadonlySet<string>;
  /** Sign-ups whose people are judged, instead of everybody who came with one of the names. */
  validations?: string[];
  /** What the list says of itself while nothing is selected. */
  summary?: string;
  className: string;
  onClear: () => void;
}

/** What can be done with the selected ones. */
export function BulkBar({ projectId, kind, names, validations, summary, className, onClear }: BulkBarProps) {
  const [listing, setListing] = useState(false);
  const judge = useJudge(projectId);
  const may = usePermissions();
  const mark = (outcome: 'good' | 'bad') => {
    if (kind === 'country') return;
    const judged: Partial<JudgementRequest> = validations
      ? { validations }
      : { of: { kind, names: [...names] } };
    judge.mutate({ ...judged, outcome }, { onSuccess: onClear });
  };
  const { many, entry } = KINDS[kind];
  const some = `${count(names.size)} ${(names.size === 1 ? KINDS[kind].one : many).toLowerCase()}`;
  return (
    <div
      className={`flex flex-wrap items-center gap-x-3 gap-y-2 border-line px-4 py-1.5 text-[0.8667rem] text-soft sm:px-5 ${className}`}
    >
      <p className="num" aria-live="polite">
        {names.size === 0 ? summary : `${some} selected`}
      </p>
      {names.size > 0 && may.decide && (
        <div className="ml-auto flex flex-wrap gap-2">
          <Button small onClick={() => setListing(true)}>
            Block or allow…
          </Button>
          {kind !== 'country' && (
            <>
              <Button small disabled={judge.isPending} onClick={() => mark('good')}>
                {kind === 'person' ? 'All good' : 'Their people are good'}
              </Button>
              <Button small disabled={judge.isPending} onClick={() => mark('bad')}>
                {kind === 'person' ? 'All bad' : 'Their people are bad'}
              </Button>
            </>
          )}
          <Button small variant="quiet" onClick={onClear}>
            Clear
          </Button>
        </div>
      )}
      {listing && (
        <ListManyDialog
          projectId={projectId}
          some={some}
          values={[...names].map((name) => entry + name)}
          onClose={() => setListing(false)}
        />
      )}
    </div>
  );
}

interface ListManyDialogProps {
  projectId: string;
  /** What is listed, such as `3 networks`. */
  some: string;
  /** The entries. */
  values: readonly string[];
  onClose: () => void;
}

const ANSWERS = { allowList: 'allow', blockList: 'block' } as const;
const LISTS = { allowList: 'allow list', blockList: 'block list' } as const;

/** Adds people, devices, domains or networks to a list, and says before what that will do. */
function ListManyDialog({ projectId, some, values, onClose }: ListManyDialogProps) {
  const [list, setList] = useState<ListName>('blockList');
  const terms = useListTerms('');
  const change = useListChange(projectId);
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
  return (
    <FormDialog
      title="Block or allow what is selected"
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
      <p className="text-soft">
        This adds {some} to the {LISTS[list]}. {capital(terms.howLong)}, every sign-up that comes with one of
        them is answered with “{ANSWERS[list]}”, whatever the checks find. {OTHER_LIST} Undo takes all of it
        back.
      </p>
      {reach.shown}
      {terms.fields}
    </FormDialog>
  );
}
