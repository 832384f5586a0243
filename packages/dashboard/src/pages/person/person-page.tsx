import type { PersonView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { apiUrl } from '../../api/client.ts';
import { personQuery } from '../../api/queries.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { CampaignLink } from '../../components/campaign-link.tsx';
import { ErasePerson } from '../../components/erase-person.tsx';
import { plural } from '../../components/format.ts';
import { PersonJudged } from '../../components/judgement.tsx';
import type { ListTarget } from '../../components/list-dialog.tsx';
import { ListDialog } from '../../components/list-dialog.tsx';
import { ListEntries } from '../../components/list-entries.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { Cell, Table } from '../../components/table.tsx';
import { Ago } from '../../components/time.tsx';
import { Timeline } from '../../components/timeline.tsx';
import { Download, Eraser } from '../../icons.ts';
import { RecentValidations } from '../validations/recent-validations.tsx';

/** Everything that the project keeps of one person, and what can be done about them. */
export function PersonPage() {
  const project = useProject();
  const { inbox } = useParams({ from: '/app/projects/$projectId/people/$inbox' });
  const person = useQuery(personQuery(project.id, inbox));
  return (
    <Page
      title="Person"
      lead="Every validation of one inbox, its spellings and devices. The address itself is not kept."
      actions={<PersonActions projectId={project.id} inbox={inbox} view={person.data} />}
    >
      <Loaded query={person} pending={<SkeletonRows rows={10} className="card p-5" />}>
        {(view) => (
          <>
            <Summary projectId={project.id} view={view} />
            <ListEntries projectId={project.id} listed={view.listed} />
            <RecentValidations
              projectId={project.id}
              rows={view.validations}
              more={view.more}
              search={{ inbox }}
              range={{}}
            />
            <Devices projectId={project.id} view={view} />
            <Timeline projectId={project.id} subject={`person:${inbox}`} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface PersonActionsProps {
  projectId: string;
  inbox: string;
  view: PersonView | undefined;
}

function PersonActions({ projectId, inbox, view }: PersonActionsProps) {
  const [target, setTarget] = useState<ListTarget | undefined>();
  const [erasing, setErasing] = useState(false);
  const navigate = useNavigate();
  const may = usePermissions();
  if (!may.decide) return <CampaignLink projectId={projectId} of={inbox} />;
  const ask = (list: ListTarget['list']) =>
    setTarget({
      list,
      what: 'person',
      value: `person:${inbox}`,
      name: view?.addresses[0] ?? 'This person',
    });
  return (
    <>
      <Button onClick={() => ask('allowList')}>Always allow…</Button>
      <Button onClick={() => ask('blockList')}>Block…</Button>
      {may.change && (
        <a
          href={apiUrl('GET /projects/:id/people/:inbox/export', { id: projectId, inbox })}
          download={`person-${inbox.slice(0, 8)}.json`}
          className={buttonClass()}
        >
          <Download size={15} aria-hidden="true" /> Export
        </a>
      )}
      {may.change && (
        <Button variant="danger" onClick={() => setErasing(true)}>
          <Eraser size={15} aria-hidden="true" /> Erase…
        </Button>
      )}
      <CampaignLink projectId={projectId} of={inbox} />
      {target !== undefined && (
        <ListDialog projectId={projectId} target={target} onClose={() => setTarget(undefined)} />
      )}
      {erasing && (
        <ErasePerson
          projectId={projectId}
          inbox={inbox}
          onClose={() => setErasing(false)}
          onErased={() => void navigate({ to: '/projects/$projectId/validations', params: { projectId } })}
        />
      )}
    </>
  );
}

function Summary({ projectId, view }: { projectId: string; view: PersonView }) {
  const live = view.validations.filter(({ mode }) => mode === 'live').map(({ id }) => id);
  return (
    <div className="card grid gap-1 p-4 sm:p-5">
      <p className="text-[1.1rem] font-semibold wrap-anywhere">
        {view.addresses.join(', ') || 'No log row is left'}
      </p>
      <p className="text-soft">
        {plural(view.validations.length, 'validation')}
        {view.more && ' shown, older ones exist'}
        {view.spellings > 1 && `, ${view.spellings} spellings of the address`},{' '}
        {plural(view.devices.length, 'device')}.
      </p>
      <PersonJudged projectId={projectId} judgement={view.judgement} validations={live} />
    </div>
  );
}

function Devices({ projectId, view }: { projectId: string; view: PersonView }) {
  if (view.devices.length === 0) return null;
  return (
    <Section title="Devices" flush>
      <Table label="Devices" head={['Device', 'Seen', 'First', 'Last']}>
        {view.devices.map(({ device, count, firstSeen, lastSeen }) => (
          <tr key={device}>
            <Cell>
              <Link
                to="/projects/$projectId/sharing"
                params={{ projectId }}
                search={{ device }}
                className="link font-mono text-[0.8667rem]"
              >
                {device.slice(0, 12)}…
              </Link>
            </Cell>
            <Cell className="num">{plural(count, 'time')}</Cell>
            <Cell className="text-soft">
              <Ago at={firstSeen} narrow />
            </Cell>
            <Cell className="text-soft">
              <Ago at={lastSeen} narrow />
            </Cell>
          </tr>
        ))}
      </Table>
    </Section>
  );
}
