import type { ProjectView } from '@postern/contract/dashboard';
import { PROJECT_FIELDS } from '@postern/contract/project-fields';
import { useState } from 'react';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useAskBeforeLeaving } from '../../components/use-ask-before-leaving.ts';
import { ArchiveProject } from './archive-project.tsx';
import { Limits, limitsKey } from './limits.tsx';
import { useSaveProject } from './use-save-project.ts';

export function SettingsPage() {
  const project = useProject();
  const may = usePermissions();
  return (
    <Page title="Settings">
      {!may.change && (
        <Notice kind="note">You can read the settings. An admin or an owner can change them.</Notice>
      )}
      <Name key={`n${project.name}`} project={project} disabled={!may.change} />
      <Limits key={limitsKey(project)} project={project} disabled={!may.change} />
      {may.change && <ArchiveProject project={project} />}
    </Page>
  );
}

function Name({ project, disabled }: { project: ProjectView; disabled: boolean }) {
  const [name, setName] = useState(project.name);
  const save = useSaveProject(project, 'The name is saved.');
  useAskBeforeLeaving('The name', name.trim() !== project.name);
  return (
    <Section title="Project">
      <Form className="grid gap-4" onSubmit={() => save.mutate({ name: name.trim() })}>
        <TextField
          label="Name"
          error={save.error?.message}
          required
          maxLength={PROJECT_FIELDS.name.maxLength}
          disabled={disabled}
          // The field is made anew with the saved name, which would lose what is typed until then.
          readOnly={save.isPending}
          value={name}
          onChange={setName}
          beside={
            <Button type="submit" busy={save.isPending} disabled={disabled || name.trim() === project.name}>
              Save
            </Button>
          }
        />
        <div className="flex flex-wrap items-center gap-2 text-[0.9rem] text-soft">
          Project ID <code className="font-mono text-ink wrap-anywhere">{project.id}</code>
          <CopyButton text={project.id} label="Copy the project ID" bare />
        </div>
      </Form>
    </Section>
  );
}
