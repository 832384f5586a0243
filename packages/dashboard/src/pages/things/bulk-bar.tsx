import type { JudgementRequest, LinkedKind } from '@postern/contract/dashboard';
import { useState } from 'react';
import { usePermissions } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { count } from '../../components/format.ts';
import { ListManyDialog } from '../../components/list-many-dialog.tsx';
import { useJudge } from '../../components/use-judge.ts';
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

const PARTS = {
  person: 'people',
  device: 'devices',
  domain: 'domains',
  network: 'networks',
  asn: 'networks',
  country: 'networks',
} as const;

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
          title="Block or allow what is selected"
          parts={[
            {
              what: PARTS[kind],
              label: some,
              covers: `with one of these ${some}`,
              values: [...names].map((name) => entry + name),
            },
          ]}
          chosen={[PARTS[kind]]}
          note=""
          onClose={() => setListing(false)}
        />
      )}
    </div>
  );
}
