import type { PersonView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Eraser } from 'lucide-react';
import { useState } from 'react';
import { personQuery } from '../../api/queries.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Badge, RecommendationBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CHECKS } from '../../components/check-names.ts';
import { ErasePerson } from '../../components/erase-person.tsx';
import { plural } from '../../components/format.ts';
import { ListDialog, type ListTarget, useListChange } from '../../components/list-actions.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { ActionsHead, Cell, Table } from '../../components/table.tsx';
import { Ago } from '../../components/time.tsx';

/** Everything that the project keeps of one person, and what can be done about them. */
export function PersonPage() {
  const project = useProject();
  const { inbox } = useParams({ from: '/app/projects/$projectId/people/$inbox' });
  const person = useQuery(personQuery(project.id, inbox));
  return (
    <Page
      title="Person"
      lead="Every validation of one inbox, its spellings and devices. The address itself is not kept."
      actions={<PersonActions projectId={project.id} inbox={inbox} />}
    >
      <Loaded query={person} pending={<SkeletonRows rows={10} className="card p-5" />}>
        {(view) => (
          <>
            <Summary view={view} />
            <Listed projectId={project.id} view={view} />
            <Validations projectId={project.id} view={view} />
            <Devices projectId={project.id} view={view} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function PersonActions({ projectId, inbox }: { projectId: string; inbox: string }) {
  const [target, setTarget] = useState<ListTarget | undefined>();
  const [erasing, setErasing] = useState(false);
  const navigate = useNavigate();
  const may = usePermissions();
  if (!may.change) return null;
  const ask = (list: ListTarget['list']) => setTarget({ list, what: 'address', inbox });
  return (
    <>
      <Button onClick={() => ask('allowList')}>Always allow…</Button>
      <Button onClick={() => ask('blockList')}>Block…</Button>
      <Button variant="danger" onClick={() => setErasing(true)}>
        <Eraser size={15} aria-hidden="true" /> Erase…
      </Button>
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

function Summary({ view }: { view: PersonView }) {
  return (
    <div className="card grid gap-1 p-4 sm:p-5">
      <p className="text-[1.1rem] font-semibold wrap-anywhere">
        {view.addresses.join(', ') || 'No log row is left'}
      </p>
      <p className="text-soft">
        {plural(view.validations.length, 'validation')}
        {view.more && ' shown, older ones exist'}, {plural(view.devices.length, 'device')}.
      </p>
    </div>
  );
}

function Listed({ projectId, view }: { projectId: string; view: PersonView }) {
  const change = useListChange(projectId);
  const may = usePermissions();
  if (view.listed.length === 0) return null;
  return (
    <Section title="On the project’s lists" flush>
      <Table label="On the project’s lists" head={['List', 'Note', 'Until', <ActionsHead key="actions" />]}>
        {view.listed.map(({ list, entry }) => (
          <tr key={`${list} ${entry.value}`}>
            <Cell>
              <Badge tone={list === 'allowList' ? 'allow' : 'block'}>
                {list === 'allowList' ? 'always allowed' : 'always blocked'}
              </Badge>
            </Cell>
            <Cell className="text-soft wrap-anywhere">{entry.note ?? ''}</Cell>
            <Cell className="text-soft">
              {entry.expiresAt === undefined ? 'no end' : <Ago at={entry.expiresAt} />}
            </Cell>
            <Cell className="text-right">
              {may.change && (
                <Button
                  small
                  busy={change.isPending}
                  onClick={() =>
                    change.mutate({
                      changes: [{ list, remove: entry.value }],
                      successText: 'The entry is removed.',
                    })
                  }
                >
                  Remove
                </Button>
              )}
            </Cell>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

function Validations({ projectId, view }: { projectId: string; view: PersonView }) {
  return (
    <Section title="Validations" flush>
      <Table label="Validations" head={['Address', 'Outcome', 'Why', 'When']} flows>
        {view.validations.map((row) => (
          <tr key={row.id}>
            <Cell className="wrap-anywhere">
              <Link
                to="/projects/$projectId/validations"
                params={{ projectId }}
                search={{ inbox: view.inbox, open: row.id }}
                className="font-medium hover:text-accent hover:underline"
              >
                {row.maskedAddress}
              </Link>
            </Cell>
            <Cell>
              <RecommendationBadge value={row.recommendation} />
            </Cell>
            <Cell className="text-soft">
              {row.failed.map((name) => CHECKS[name].title).join(', ') || 'no problems found'}
            </Cell>
            <Cell className="text-soft">
              <Ago at={row.at} narrow />
            </Cell>
          </tr>
        ))}
      </Table>
    </Section>
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
