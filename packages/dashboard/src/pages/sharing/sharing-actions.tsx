import type { ListName, SharingView } from '@postern/contract/dashboard';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { usePermissions } from '../../api/use-session.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { CampaignLink } from '../../components/campaign-link.tsx';
import { plural } from '../../components/format.ts';
import { ListDialog } from '../../components/list-dialog.tsx';
import { ListManyDialog } from '../../components/list-many-dialog.tsx';

interface SharingActionsProps {
  projectId: string;
  view: SharingView;
}

/** What can be done about a device or an inbox, and where else it is. */
export function SharingActions({
  projectId,
  view: { kind, hash, sightings, recent, others },
}: SharingActionsProps) {
  const [open, setOpen] = useState<ListName | 'people' | undefined>();
  const may = usePermissions();
  const close = () => setOpen(undefined);
  const inboxes = [...new Set(sightings.filter(({ device }) => device === hash).map(({ inbox }) => inbox))];
  const people = plural(inboxes.length, 'person', 'people');
  const name =
    kind === 'device' ? `Device ${hash.slice(0, 8)}…` : (recent[0]?.maskedAddress ?? 'This person');
  return (
    <div className="flex flex-wrap gap-2">
      {may.decide && (
        <>
          <Button onClick={() => setOpen('allowList')}>Always allow…</Button>
          <Button onClick={() => setOpen('blockList')}>Block…</Button>
          {kind === 'device' && inboxes.length > 0 && (
            <Button onClick={() => setOpen('people')}>List its people…</Button>
          )}
        </>
      )}
      {kind === 'inbox' && (
        <Link
          to="/projects/$projectId/people/$inbox"
          params={{ projectId, inbox: hash }}
          className={buttonClass()}
        >
          Show this person
        </Link>
      )}
      <Link
        to="/projects/$projectId/validations"
        params={{ projectId }}
        search={kind === 'device' ? { device: hash } : { inbox: hash }}
        className={buttonClass()}
      >
        Open in the log
      </Link>
      <CampaignLink projectId={projectId} of={hash} />
      {(open === 'allowList' || open === 'blockList') && (
        <ListDialog
          projectId={projectId}
          target={{
            list: open,
            what: kind === 'device' ? 'device' : 'person',
            value: `${kind === 'device' ? 'device' : 'person'}:${hash}`,
            name,
          }}
          onClose={close}
        />
      )}
      {open === 'people' && (
        <ListManyDialog
          projectId={projectId}
          title="List the people of this device"
          parts={[
            {
              what: 'people',
              label:
                inboxes.length < others
                  ? `The newest ${people} of ${others}`
                  : `${people}, under any spelling of their addresses`,
              covers: `of these ${people}`,
              values: inboxes.map((inbox) => `person:${inbox}`),
            },
            {
              what: 'devices',
              label: 'The device itself',
              covers: 'from this device',
              values: [`device:${hash}`],
            },
          ]}
          chosen={['people']}
          note="People of one device"
          onClose={close}
        />
      )}
    </div>
  );
}
