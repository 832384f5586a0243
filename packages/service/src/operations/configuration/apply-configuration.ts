import type { Project } from '../../model/project.ts';
import type { ProjectChange } from '../../store/tables/project-table.ts';
import type { Webhook } from '../../store/tables/webhook-table.ts';
import { type Administration, InvalidInput } from '../administration.ts';
import { newSettings, projectChange, projectCreation } from '../change-project.ts';
import { type Change, perform } from '../perform.ts';
import { type Difference, differencesOf, type ShownState } from './differences.ts';
import { mergedChange, prunedChange, settingsOfNew } from './merge-document.ts';
import { projectDocument } from './project-document.ts';
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
  readonly changes: readonly Change<unknown>[];
}

/** Applies all documents or none. If another change comes at the same time, everything is planned again. */
export async function applyConfiguration(
  admin: Administration,
  documents: readonly SourceDocument[],
  { environment, prune, dryRun }: ApplyOptions,
): Promise<AppliedConfiguration> {
  if (documents.length === 0 && prune)
    throw new ConfigurationFault(['There is no document. With --prune that would archive every project.']);
  const given = readDocuments(admin, documents, environment);
  return perform(admin, async () => {
    const { changes, differences, issued } = await planned(admin, given, prune);
    const written = dryRun ? [] : changes;
    return {
      write: written.flatMap(({ write }) => write),
      note: written.flatMap(({ note }) => note),
      answer: { differences, issued: dryRun ? [] : issued },
    };
  });
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
    .map((project) =>
      projectDocument(project.id, {
        ...project,
        archived: project.archivedAt !== null,
        webhooks: webhooks.filter(({ projectId }) => projectId === project.id),
      }),
    );
}

function readDocuments(
  { plans }: Administration,
  documents: readonly SourceDocument[],
  environment: ApplyOptions['environment'],
): GivenProject[] {
  const faults = faultCollector();
  const places = new Map<string, string>();
  const given = documents.flatMap((source) => {
    const project = readDocument(source, { plans, environment, faults });
    const id = Object(source.value).project as unknown;
    if (typeof id !== 'string') return [];
    const first = places.get(id);
    const place = source.placeOf(['project']);
    if (first !== undefined)
      faults.add(source, ['project'], `There are two documents of '${id}'. The first is at ${first}.`);
    places.set(id, first ?? place);
    return project === undefined ? [] : [project];
  });
  faults.throwIfAny();
  return given;
}

async function planned(admin: Administration, given: readonly GivenProject[], prune: boolean): Promise<Plan> {
  const projects = new Map((await admin.store.projects.list()).map((project) => [project.id, project]));
  const webhooks = await admin.store.events.webhooks.list();
  const faults = faultCollector();
  const plans: Plan[] = [];
  // In the order of their IDs, so that two transactions never wait for each other.
  for (const project of [...given].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const current = projects.get(project.id);
    const plan = await faults.attempt(project.source, ['project'], async () =>
      current === undefined ? planNew(admin, project) : planChange(admin, current, webhooks, project, prune),
    );
    if (plan !== undefined) plans.push(plan);
  }
  faults.throwIfAny();
  if (prune) {
    const named = new Set(given.map(({ id }) => id));
    for (const project of projects.values())
      if (!named.has(project.id) && project.archivedAt === null)
        plans.push(await planArchive(admin, project));
  }
  return {
    differences: plans.flatMap(({ differences }) => differences),
    issued: plans.flatMap(({ issued }) => issued),
    changes: plans.flatMap(({ changes, differences }) => (differences.length === 0 ? [] : changes)),
  };
}

async function planNew(admin: Administration, given: GivenProject): Promise<Plan> {
  const { id, archived = false } = given;
  const settings = settingsOfNew(admin, given);
  const hooks = planWebhooks(admin, id, [], given.webhooks ?? [], true);
  const usual: ShownState = { ...newSettings(admin, id, {}), archived: false, webhooks: [] };
  const after: ShownState = { ...settings, archived, webhooks: hooks.after };
  return {
    differences: [{ project: id, path: 'project', after: id }, ...differencesOf(id, usual, after)],
    issued: hooks.issued,
    changes: [await projectCreation(admin, id, settings, archived ? admin.now() : null), ...hooks.changes],
  };
}

async function planChange(
  admin: Administration,
  current: Project,
  webhooks: readonly Webhook[],
  given: GivenProject,
  prune: boolean,
): Promise<Plan> {
  const { id } = current;
  const change = (prune ? prunedChange : mergedChange)(admin, current, given);
  const own = webhooks.filter(({ projectId }) => projectId === id);
  const hooks = planWebhooks(admin, id, own, given.webhooks ?? [], prune);
  const archived = current.archivedAt !== null;
  const after: ShownState = {
    ...current,
    ...change,
    archived: change.archivedAt === undefined ? archived : change.archivedAt !== null,
    webhooks: hooks.after,
  };
  const before: ShownState = { ...current, archived, webhooks: hooks.before };
  const changed = changedOnly(change, current);
  return {
    differences: [...differencesOf(id, before, after), ...hooks.differences],
    issued: hooks.issued,
    changes: [
      ...(Object.keys(changed).length === 0 ? [] : [await projectChange(admin, current, changed)]),
      ...hooks.changes,
    ],
  };
}

async function planArchive(admin: Administration, current: Project): Promise<Plan> {
  return {
    differences: [{ project: current.id, path: 'archived', before: false, after: true }],
    issued: [],
    changes: [await projectChange(admin, current, { archivedAt: admin.now() })],
  };
}

/** Without the values that are already there. */
function changedOnly(change: ProjectChange, current: Project): ProjectChange {
  const same = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) === JSON.stringify(current[name as keyof Project]);
  return Object.fromEntries(Object.entries(change).filter((field) => !same(field)));
}
