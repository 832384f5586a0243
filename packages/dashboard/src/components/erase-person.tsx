import type { EraseRequest } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';
import { CheckBox } from './check-box.tsx';
import { Confirm } from './confirm.tsx';
import { plural } from './format.ts';

interface ErasePersonProps {
  projectId: string;
  inbox: string;
  onClose: () => void;
  onErased?: () => void;
}

/** Counts what the project stores about a person, and erases it after a confirmation. It cannot be undone. */
export function ErasePerson({ projectId, inbox, onClose, onErased }: ErasePersonProps) {
  const send = (body: EraseRequest) =>
    api('POST /projects/:id/people/:inbox/erase', { id: projectId, inbox }, { body });
  const count = useQuery({
    queryKey: ['erase', projectId, inbox],
    queryFn: () => send({}),
  });
  const [keepClaims, setKeepClaims] = useState(false);
  const erase = useChange({
    inline: true,
    send: () => send({ erase: true, keepClaims }),
    successText: 'The person’s data is erased.',
    onDone: () => {
      onClose();
      onErased?.();
    },
  });
  return (
    <Confirm
      title="Erase this person?"
      action="Erase permanently"
      typed="erase"
      change={{ ...erase, error: erase.error ?? count.error }}
      onClose={onClose}
    >
      <p>
        {count.data === undefined
          ? 'Counting…'
          : `The project stores ${plural(count.data.logRows, 'log row')}, ${plural(count.data.sightings, 'sighting')} and ${plural(count.data.outcomes, 'outcome')} of this person. They will be erased permanently, with all notes about the person. Entries on the project’s lists stay.`}
      </p>
      {(count.data?.claims ?? 0) > 0 && (
        <>
          <p>The person can have again what they claimed, such as a trial.</p>
          <CheckBox checked={keepClaims} onChange={setKeepClaims}>
            Keep bare hashes, so that they cannot
          </CheckBox>
        </>
      )}
    </Confirm>
  );
}
