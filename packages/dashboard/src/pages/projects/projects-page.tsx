import type { NewProjectRequest, ProjectView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { useState } from 'react';
import { openCampaignsQuery } from '../../api/campaign-queries.ts';
import { ApiFailure, api } from '../../api/client.ts';
import { overviewQuery, projectsQuery } from '../../api/queries.ts';
import { useChange } from '../../api/use-change.ts';
import { usePermissions, useSession } from '../../api/use-session.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Field } from '../../components/field.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { count, dayOf, plural, shortCount } from '../../components/format.ts';
import { Meter } from '../../components/meter.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded, Skeleton } from '../../components/pending.tsx';
import { SelectField, TextField } from '../../components/text-field.tsx';
import { FolderKanban, Plus } from '../../icons.ts';
import { Trend } from '../overview/trend.tsx';

export function ProjectsPage() {
  const [making, setMaking] = useState(false);
  const projects = useQuery(projectsQuery);
  const may = usePermissions();
  return (
    <Page
      title="Projects"
      lead="One project for each product or environment: its own keys, policy, limits and log."
      actions={
        may.change && (
          <Button variant="primary" onClick={() => setMaking(true)}>
            <Plus size={16} /> New project
          </Button>
        )
      }
    >
      <Loaded query={projects} pending={<ProjectsPending />}>
        {(all) => <ProjectGrid projects={all} onNew={may.change ? () => setMaking(true) : undefined} />}
      </Loaded>
      {making && <NewProject onClose={() => setMaking(false)} />}
    </Page>
  );
}

const GRID = 'grid gap-4 sm:grid-cols-2 xl:grid-cols-3';

function ProjectsPending() {
  return (
    <div className={GRID}>
      <Skeleton className="h-36" />
      <Skeleton className="h-36" />
      <Skeleton className="h-36" />
    </div>
  );
}

interface ProjectGridProps {
  projects: readonly ProjectView[];
  onNew: (() => void) | undefined;
}

function ProjectGrid({ projects, onNew }: ProjectGridProps) {
  const live = projects.filter((project) => project.archivedAt === null);
  const archived = projects.filter((project) => project.archivedAt !== null);
  return (
    <>
      {live.length === 0 ? (
        <div className="card">
          <EmptyState
            icon={FolderKanban}
            title="No projects yet"
            action={
              onNew !== undefined && (
                <Button variant="primary" onClick={onNew}>
                  Create the first project
                </Button>
              )
            }
          >
            A project holds the API keys that your sign-up form and your backend use, and the policy that
            decides what is allowed.
          </EmptyState>
        </div>
      ) : (
        <ul className={GRID}>
          {live.map((project) => (
            <ProjectCard key={project.id} project={project} />
          ))}
        </ul>
      )}
      {archived.length > 0 && (
        <details className="mt-2">
          <summary className="w-fit rounded text-soft hover:text-ink">Archived ({archived.length})</summary>
          <ul className={`${GRID} mt-3`}>
            {archived.map((project) => (
              <ProjectCard key={project.id} project={project} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function ProjectCard({ project }: { project: ProjectView }) {
  const { quota } = project;
  return (
    <li
      className={clsx(
        'relative grid content-between gap-5 p-4 transition-colors focus-within:border-accent hover:border-line-strong',
        project.archivedAt === null ? 'card' : 'rounded-xl border border-dashed border-line-strong bg-sunken',
      )}
    >
      <div className="min-w-0">
        <div className="flex items-start justify-between gap-2">
          <h2 className="min-w-0 font-semibold wrap-anywhere">
            <Link
              to="/projects/$projectId"
              params={{ projectId: project.id }}
              className="outline-none after:absolute after:inset-0 after:rounded-xl focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-accent"
            >
              {project.name}
            </Link>
          </h2>
          {project.archivedAt !== null ? (
            <Badge tone="flag">archived</Badge>
          ) : (
            <Badge tone="accent">{project.plan}</Badge>
          )}
        </div>
        <p className="mt-0.5 font-mono text-[0.8rem] text-faint wrap-anywhere">{project.id}</p>
        {project.archivedAt === null && <LastWeek projectId={project.id} />}
      </div>
      <div className="grid gap-1.5 text-[0.8667rem] text-soft">
        <Meter label="Quota used" value={quota.used} max={quota.limit} />
        <div className="num flex justify-between gap-3">
          <span>
            {shortCount(quota.used)} of {shortCount(quota.limit)}
          </span>
          <span>resets {dayOf(Date.parse(quota.resetAt))}</span>
        </div>
      </div>
    </li>
  );
}

/** What waits for a look, and how many came. */
function LastWeek({ projectId }: { projectId: string }) {
  const { data: campaigns = [] } = useQuery(openCampaignsQuery(projectId));
  const { data } = useQuery(overviewQuery(projectId, 7));
  const label = data && `${plural(data.totals.validations, 'validation')} in 7 days`;
  return (
    <p className="mt-2 flex min-h-6 flex-wrap items-center gap-3 text-[0.8667rem] text-soft">
      {data && (
        <Trend label="By day" values={data.series.map(({ allow, flag, block }) => allow + flag + block)} />
      )}
      {label}
      {campaigns.length > 0 && <Badge tone="block">{plural(campaigns.length, 'campaign')}</Badge>}
    </p>
  );
}

function NewProject({ onClose }: { onClose: () => void }) {
  const { plans } = useSession();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [domains, setDomains] = useState('');
  const [plan, setPlan] = useState(plans[0]?.name ?? '');
  const create = useChange({
    send: (body: NewProjectRequest) => api('POST /projects', {}, { body }),
    inline: true,
    successText: 'The project is ready. Next, create its keys.',
    onDone: (project) =>
      void navigate({ to: '/projects/$projectId/keys', params: { projectId: project.id } }),
  });
  const submit = () => {
    const allowedDomains = domains.split(/[\s,]+/).filter((domain) => domain !== '');
    create.mutate({
      name: name.trim(),
      ...(allowedDomains.length > 0 && { allowedDomains }),
      ...(plan !== '' && { plan }),
    });
  };
  const field = create.error instanceof ApiFailure ? create.error.field : undefined;
  return (
    <FormDialog
      title="New project"
      action="Create the project"
      busy={create.isPending}
      error={create.error !== null && field === undefined ? create.error.message : undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        error={field === 'name' ? create.error?.message : undefined}
        required
        maxLength={100}
        placeholder="Acme web"
        value={name}
        onChange={setName}
      />
      <DomainsField
        error={field === 'allowedDomains' ? create.error?.message : undefined}
        value={domains}
        onChange={setDomains}
      />
      {plans.length > 1 && (
        <SelectField
          label="Plan"
          value={plan}
          options={plans.map((each) => [each.name, `${each.name}: ${count(each.quota)} validations a month`])}
          onChange={setPlan}
        />
      )}
    </FormDialog>
  );
}

interface DomainsFieldProps {
  error: string | undefined;
  value: string;
  onChange: (value: string) => void;
}

function DomainsField({ error, value, onChange }: DomainsFieldProps) {
  const hint = (
    <>
      One per line, such as <code className="font-mono">app.example.com</code> or{' '}
      <code className="font-mono">*.example.com</code>. If empty,{' '}
      <code className="font-mono">localhost:*</code> is allowed, for a first test. You can change this later.
    </>
  );
  return (
    <Field label="Domains whose pages may use client keys" hint={hint} error={error}>
      {(props) => (
        <textarea
          {...props}
          rows={3}
          className="control font-mono"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
