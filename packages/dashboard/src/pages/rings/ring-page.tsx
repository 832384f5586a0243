import type { RingDetail } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ringQuery } from '../../api/ring-queries.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { plural } from '../../components/format.ts';
import { ListManyDialog } from '../../components/list-many-dialog.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { Moment } from '../../components/time.tsx';
import { DecideRing } from './decide-ring.tsx';
import { RingMembers } from './ring-members.tsx';
import { listableParts } from './ring-parts.ts';
import { answersText, knownText } from './rings-page.tsx';

/** One ring: who is in it and why, and what can be done about all of it. */
export function RingPage() {
  const project = useProject();
  const { hash } = useParams({ from: '/app/projects/$projectId/rings/$hash' });
  const ring = useQuery(ringQuery(project.id, hash));
  return (
    <Page
      title={ring.data === undefined ? 'Ring' : `Ring of ${plural(ring.data.people, 'person', 'people')}`}
      lead="People who belong together, and why."
      actions={ring.data !== undefined && <RingActions projectId={project.id} ring={ring.data} />}
    >
      <Loaded query={ring} pending={<SkeletonRows rows={10} className="card p-5" />}>
        {(view) => (
          <>
            <Summary ring={view} />
            <RingMembers projectId={project.id} ring={view} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Summary({ ring }: { ring: RingDetail }) {
  return (
    <div className="card grid gap-1 p-4 sm:p-5">
      <p className="text-[1.1rem] font-semibold">
        {plural(ring.people, 'person', 'people')}, {plural(ring.devices, 'device')},{' '}
        {plural(ring.networks, 'network')}, {plural(ring.domainCount, 'domain')}
      </p>
      <p className="text-soft">
        First seen <Moment at={ring.firstSeen} />, last seen <Moment at={ring.lastSeen} />.
      </p>
      <p className="text-soft">
        Newest answers: {answersText(ring)}. Outcomes: {knownText(ring)}.
      </p>
    </div>
  );
}

function RingActions({ projectId, ring }: { projectId: string; ring: RingDetail }) {
  const [open, setOpen] = useState<'list' | 'decide' | undefined>();
  const may = usePermissions();
  if (!may.decide) return null;
  const close = () => setOpen(undefined);
  return (
    <>
      <Button onClick={() => setOpen('list')}>List all of it…</Button>
      <Button onClick={() => setOpen('decide')}>Decide all of it…</Button>
      {open === 'list' && (
        <ListManyDialog
          projectId={projectId}
          title="List all of it"
          parts={listableParts(ring)}
          chosen={['people', 'devices']}
          note={`Ring of ${plural(ring.people, 'person', 'people')}`}
          onClose={close}
        />
      )}
      {open === 'decide' && <DecideRing projectId={projectId} ring={ring} onClose={close} />}
    </>
  );
}
