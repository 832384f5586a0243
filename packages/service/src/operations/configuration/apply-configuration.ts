import { type Administration, InvalidInput } from '../../administration/administration.ts';
import { auditedAction, auditedChange } from '../../administration/audited-change.ts';
import { NO_LISTS } from '../../administration/own-list-entries.ts';
import { newSettings, savedPolicy } from '../../administration/projects.ts';
import type { Project } from '../../model/project.ts';
import { StoreConflict } from '../../store/store.ts';
import type { ProjectWrite } from '../../store/tables/configuration-writes.ts';
import type { ProjectChange } from '../../store/tables/project-table.ts';
import type { Webhook } from '../../store/tables/webhook-table.ts';
import { type Difference, differencesOf } from './differences.ts';
import { mergedChange, prunedChange, settingsOfNew } from './merge-document.ts';
import { type ProjectState, projectDocument } from './project-document.ts';
import { type GivenProject, readDocument } from './read-document.ts';
import { ConfigurationFault, faultCollector, type SourceDocument } from './source-document.ts';
import { planWebhooks } from './webhook-plan.ts';

export interface ApplyOptions {
  /** Values for `${NAME}`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What no document names goes: projects are archived, everything else gets its default. */
  readonly prune: boolean;
  readonly dryRun: boolean;
}

export interface AppliedConfiguration {
  readonly differences: readonly Difference[];
  /** New webhooks whose secret was made here. It is shown once. */
  readonly issued: readonly Pick<Webhook, 'projectId' | 'id' | 'url' | 'secret'>[];
}

interface Plan extends AppliedConfiguration {
  readonly writes: readonly ProjectWrite[];
}

const MAX_ATTEMPTS = 20;

/** Applies all documents or none. If somebody else changes a project at the same time, everything is planned again. */
export async function applyConfiguration(
  admin: Administration,
  documents: readonly SourceDocument[],
  { environment, prune, dryRun }: ApplyOptions,
): Promise<AppliedConfiguration> {
  const given = readDocuments(admin, documents, environment);
  for (let attempt = 1; ; attempt += 1) {
    const { writes, ...plan } = await planned(admin, given, prune);
    if (dryRun || writes.length === 0) return plan;
    try {
      await admin.store.applyConfiguration(writes);
      return plan;
    } catch (error) {
      if (!(error instanceof StoreConflict) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** The documents of these projects, or of all. */
export async function exportConfiguration(
  { store }: Pick<Administration, 'store'>,
  ids: readonly string[],
): Promise<Record<string, unknown>[]> {
  const [projects, webhooks] = [await store.projects.list(), await store.events.webhooks.list()];
  const unknown = ids.find((id) => projects.every((project) => project.id !== id));
  if (unknown !== undefined) throw new InvalidInput('project', `There is no project '${unknown}'.`);
  return projects
    .filter(({ id }) => ids.length === 0 || ids.includes(id))
    .map((project) => projectDocument(project.id, stateOf(project, webhooks)));
}

function readDocuments(
  { plans }: Administration,
  documents: readonly SourceDocument[],
  environment: ApplyOptions['environment'],
): GivenProject[] {
  if (documents.length === 0) throw new ConfigurationFault(['There is no document to apply.']);
  const faults = faultCollector();
  const places = new Map<string, string>();
  const given = documents.flatMap((source) => {
    const project = readDocument(source, { plans, environment, faults });
    if (project === undefined) return [];
    const first = places.get(project.id);
    const place = source.placeOf(['project']);
    if (first !== undefined)
      faults.add(
        source,
        ['project'],
        `There are two documents of '${project.id}'. The first is at ${first}.`,
      );
    places.set(project.id, first ?? place);
    return [project];
  });
  faults.throwIfAny();
  return given;
}

async function planned(admin: Administration, given: readonly GivenProject[], prune: boolean): Promise<Plan> {
  const projects = new Map((await admin.store.projects.list()).map((project) => [project.id, project]));
  const webhooks = await admin.store.events.webhooks.list();
  const faults = faultCollector();
  const plans = given.flatMap((project) => {
    const current = projects.get(project.id);
    return (
      faults.attempt(project.source, ['project'], () => [
        current === undefined
          ? planNew(admin, project)
          : planChange(admin, current, webhooks, project, prune),
      ]) ?? []
    );
  });
  faults.throwIfAny();
  if (prune) {
    const named = new Set(given.map(({ id }) => id));
    for (const project of projects.values())
      if (!named.has(project.id) && project.archivedAt === null) plans.push(planArchive(admin, project));
  }
  return {
    differences: plans.flatMap(({ differences }) => differences),
    issued: plans.flatMap(({ issued }) => issued),
    writes: plans.flatMap(({ writes, differences }) => (differences.length === 0 ? [] : writes)),
  };
}

function planNew(admin: Administration, given: GivenProject): Plan {
  const { id, archived = false } = given;
  const settings = settingsOfNew(admin, given);
  const { wanted, writes, issued, audited } = planWebhooks(admin, id, [], given.webhooks ?? [], true);
  const now = admin.now();
  const usual: ProjectState = { ...newSettings(admin, id, {}), archived: false, webhooks: [] };
  const after: ProjectState = { ...settings, archived, webhooks: wanted };
  return {
    differences: [{ project: id, path: 'project', after: id }, ...differencesOf(id, usual, after)],
    issued,
    writes: [
      {
        id,
        version: null,
        settings,
        change: { ...settings, ...(archived && { archivedAt: now }) },
        saved: {
          at: now,
          actor: admin.actor,
          reason: admin.reason ?? null,
          policy: settings.policy,
          rules: settings.rules,
        },
        webhooks: writes,
        audit: [
          row(admin, 'project.create', id, {
            ...auditedChange(settings, NO_LISTS),
            ...(archived && { archived }),
          }),
          ...audited.map(([action, detail]) => row(admin, action, id, detail)),
        ],
      },
    ],
  };
}

function planChange(
  admin: Administration,
  current: Project,
  webhooks: readonly Webhook[],
  given: GivenProject,
  prune: boolean,
): Plan {
  const { id } = current;
  const own = webhooks.filter(({ projectId }) => projectId === id);
  const change = (prune ? prunedChange : mergedChange)(admin, current, given);
  const hooks = planWebhooks(admin, id, own, given.webhooks ?? [], prune);
  const after: ProjectState = {
    ...current,
    ...change,
    archived: (change.archivedAt === undefined ? current.archivedAt : change.archivedAt) !== null,
    webhooks: hooks.wanted,
  };
  const settings = differencesOf(id, stateOf(current, webhooks), after);
  return {
    differences: [...settings, ...hooks.differences],
    issued: hooks.issued,
    writes: [changeOf(admin, current, changedOnly(change, current), hooks)],
  };
}

function planArchive(admin: Administration, current: Project): Plan {
  const change = { archivedAt: admin.now() };
  return {
    differences: [{ project: current.id, path: 'archived', before: false, after: true }],
    issued: [],
    writes: [changeOf(admin, current, change, { writes: [], audited: [] })],
  };
}

function changeOf(
  admin: Administration,
  current: Project,
  change: ProjectChange,
  { writes, audited }: Pick<ReturnType<typeof planWebhooks>, 'writes' | 'audited'>,
): ProjectWrite {
  const { id, version } = current;
  const why = admin.reason === undefined ? {} : { reason: admin.reason };
  const changed = Object.keys(change).length > 0;
  return {
    id,
    version,
    change,
    saved: savedPolicy(admin, current, change),
    webhooks: writes,
    audit: [
      ...(changed
        ? [row(admin, auditedAction(change), id, { ...auditedChange(change, current), ...why })]
        : []),
      ...audited.map(([action, detail]) => row(admin, action, id, detail)),
    ],
  };
}

/** Without the values that are already there. */
function changedOnly(change: ProjectChange, current: Project): ProjectChange {
  const same = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) === JSON.stringify(current[name as keyof Project]);
  return Object.fromEntries(Object.entries(change).filter((field) => !same(field)));
}

function row(
  { now, actor }: Administration,
  action: ProjectWrite['audit'][number]['action'],
  projectId: string,
  detail: Readonly<Record<string, unknown>>,
): ProjectWrite['audit'][number] {
  return { at: now(), actor, action, projectId, detail };
}

function stateOf(project: Project, webhooks: readonly Webhook[]): ProjectState {
  return {
    ...project,
    archived: project.archivedAt !== null,
    webhooks: webhooks.filter(({ projectId }) => projectId === project.id),
  };
}
