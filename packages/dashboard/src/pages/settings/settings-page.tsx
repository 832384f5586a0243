import { hasRole, type ProjectView } from '@postern/contract/dashboard';
import {
  type CountField,
  fieldRows,
  OPERATOR_FIELDS,
  PROJECT_FIELDS,
  type ProjectFieldName,
  type ProjectPatch,
} from '@postern/contract/project-fields';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { useProject } from '../../api/use-project.ts';
import { useSaveProject } from '../../api/use-save-project.ts';
import { usePermissions, useSession } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Form } from '../../components/form.tsx';
import { count } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { SelectField, TextField } from '../../components/text-field.tsx';
import { AskBeforeLeaving, Clashes } from '../../components/unsaved.tsx';
import { useDraft } from '../../components/use-draft.ts';

export function SettingsPage() {
  const project = useProject();
  const may = usePermissions();
  return (
    <Page title="Settings">
      {!may.change && (
        <Notice kind="note">You can read the settings. An admin or an owner can change them.</Notice>
      )}
      <Name project={project} disabled={!may.change} />
      <Limits project={project} disabled={!may.change} />
      {may.change && <ArchiveProject project={project} />}
    </Page>
  );
}

function Name({ project, disabled }: { project: ProjectView; disabled: boolean }) {
  const draft = useDraft({ name: project.name });
  const { name } = draft.values;
  const save = useSaveProject(project, 'The name is saved.', draft.discard);
  const changed = name.trim() !== project.name;
  return (
    <Section title="Project">
      <Form className="grid gap-4" onSubmit={() => save.mutate({ name: name.trim() })}>
        <TextField
          label="Name"
          error={save.error?.message}
          required
          maxLength={PROJECT_FIELDS.name.maxLength}
          disabled={disabled}
          // What is typed while it is being saved would be lost.
          readOnly={save.isPending}
          value={name}
          onChange={(typed) => draft.set({ name: typed })}
          beside={
            <Button
              type="submit"
              busy={save.isPending}
              disabled={disabled || !changed || draft.clashes.length > 0}
            >
              Save
            </Button>
          }
        />
        <Clashes draft={draft} label={() => 'Name'} />
        <div className="flex flex-wrap items-center gap-2 text-[0.9rem] text-soft">
          Project ID <code className="font-mono text-ink wrap-anywhere">{project.id}</code>
          <CopyButton text={project.id} label="Copy the project ID" bare />
        </div>
      </Form>
      <AskBeforeLeaving changed={changed} text="The name has changes that are not saved." />
    </Section>
  );
}

function ArchiveProject({ project }: { project: ProjectView }) {
  const [asking, setAsking] = useState(false);
  const archived = project.archivedAt !== null;
  const change = useChange({
    send: () =>
      api(archived ? 'POST /projects/:id/restore' : 'POST /projects/:id/archive', { id: project.id }),
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

/** Every number of the project, in the order of the contract's table. */
const COUNT_FIELDS = fieldRows(PROJECT_FIELDS).flatMap(([name, field]): [ProjectFieldName, CountField][] =>
  field.kind === 'count' ? [[name, field]] : [],
);

type Values = Readonly<Record<string, string>>;

/** What the form shows. */
function valuesOf(project: ProjectView): Values {
  const counts = COUNT_FIELDS.map(([name]) => [name, String(project[name] ?? '')]);
  return { plan: project.plan, ...Object.fromEntries(counts) };
}

/** Only what differs, so that the audit log shows what was changed. */
function patchOf(before: Values, after: Values): ProjectPatch {
  const changed = Object.entries(after).filter(([name, text]) => text !== before[name]);
  return Object.fromEntries(
    changed.map(([name, text]) => [name, name === 'plan' ? text : text === '' ? null : Number(text)]),
  );
}

function Limits({ project, disabled }: { project: ProjectView; disabled: boolean }) {
  const { plans, logRetentionDays, user } = useSession();
  const initial = valuesOf(project);
  const draft = useDraft(initial);
  const { values } = draft;
  const save = useSaveProject(project, 'The limits are saved and apply to new requests.', draft.discard);
  const operator = hasRole(user.role, 'admin');
  const bind = (name: ProjectFieldName) => ({
    disabled: disabled || (!operator && OPERATOR_FIELDS.includes(name)),
    value: values[name] ?? '',
    onChange: (value: string) => draft.set({ ...values, [name]: value }),
  });
  const names = plans.map(({ name, quota }) => [name, `${name}: ${count(quota)} a month`] as const);
  const exists = plans.some(({ name }) => name === project.plan);
  /** What holds while the project has no number of its own. */
  const usual: Readonly<Record<string, number | undefined>> = {
    quotaLimit: plans.find(({ name }) => name === values.plan)?.quota,
    logRetentionDays,
  };
  return (
    <Section title="Plan, limits and retention">
      <Form className="grid gap-4" onSubmit={() => save.mutate(patchOf(initial, values))}>
        {!operator && !disabled && (
          <Notice kind="note">
            {OPERATOR_FIELDS.map((name) => PROJECT_FIELDS[name].label).join(', ')}: an admin of all projects
            sets these.
          </Notice>
        )}
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={PROJECT_FIELDS.plan.label}
            hint={`Used ${count(project.quota.used)} of ${count(project.quota.limit)} this month.`}
            options={exists ? names : [[project.plan, project.plan], ...names]}
            {...bind('plan')}
          />
          {COUNT_FIELDS.map(([name, field]) => (
            <TextField
              key={name}
              label={`${field.label} (${field.unit})`}
              hint={field.help}
              type="number"
              min={field.min}
              max={field.max}
              required={field.default !== null}
              placeholder={String(field.default ?? usual[name] ?? '')}
              {...bind(name)}
            />
          ))}
        </div>
        <Clashes draft={draft} label={([name = '']) => PROJECT_FIELDS[name as ProjectFieldName].label} />
        {save.error !== null && <Notice kind="bad">{save.error.message}</Notice>}
        <div className="flex justify-end">
          <Button
            variant="primary"
            type="submit"
            busy={save.isPending}
            disabled={disabled || !draft.changed || draft.clashes.length > 0}
          >
            Save the limits
          </Button>
        </div>
      </Form>
      <AskBeforeLeaving changed={draft.changed} text="The limits have changes that are not saved." />
    </Section>
  );
}
