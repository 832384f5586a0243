import type { ProjectView } from '@postern/contract/dashboard';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Section } from '../../components/page.tsx';

export function ArchiveProject({ project }: { project: ProjectView }) {
  const [asking, setAsking] = useState(false);
  const archived = project.archivedAt !== null;
  const change = useChange({
    send: () =>
      api(archived ? 'POST /projects/:id/restore' : 'POST /projects/:id/archive', { id: project.id }),
    invalidates: [['projects']],
    inline: true,
    successText: archived
      ? 'The project is restored. Its keys work again.'
      : 'The project is archived. Its keys no longer work.',
    onDone: () => setAsking(false),
  });
  return (
    <Section
      title={archived ? 'Restore the project' : 'Archive the project'}
      lead={
        archived
          ? 'Its keys work again at once.'
          : 'All its keys stop working at once. Nothing is deleted, and you can restore it.'
      }
    >
      {archived ? (
        <Button busy={change.isPending} onClick={() => change.mutate()}>
          Restore
        </Button>
      ) : (
        <Button variant="danger" onClick={() => setAsking(true)}>
          Archive…
        </Button>
      )}
      {asking && (
        <Confirm
          title={`Archive “${project.name}”?`}
          action="Archive the project"
          typed={project.id}
          change={change}
          onClose={() => setAsking(false)}
        >
          <p>
            Sign-up forms and backends that use its keys get 403 from now on. Nothing is deleted, and you can
            restore the project later.
          </p>
        </Confirm>
      )}
    </Section>
  );
}
