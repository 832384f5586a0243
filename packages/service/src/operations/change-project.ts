import { isDeepStrictEqual } from 'node:util';
import type { StepUpKind } from '@postern/contract';
import {
  defaultValues,
  fieldRows,
  PROJECT_FIELDS,
  type ProjectPatch,
  type ProjectSettings,
} from '@postern/contract/project-fields';
import type { KeyedHash } from '../model/keyed-hash.ts';
import { parseListValue } from '../model/list-value.ts';
import { DEFAULT_POLICY, type ListEntry, monthlyQuota, type Project } from '../model/project.ts';
import { monthOf } from '../model/windows.ts';
import type { AdministeredStore } from '../store/administered-store.ts';
import type { Statement } from '../store/database.ts';
import { StoreConflict } from '../store/store.ts';
import type { SavedPolicy } from '../store/tables/policy-version-table.ts';
import type { ProjectChange } from '../store/tables/project-table.ts';
import type { NewTimelineEntry } from '../store/tables/timeline-table.ts';
import { type Administration, InvalidInput, NotFound, randomId } from './administration.ts';
import { auditedAction, auditedChange } from './audited-change.ts';
import { inboxHashes, instanceHash } from './instance-hash.ts';
import { NO_LISTS, OWN_LISTS, type ProjectLists, withAuthor } from './own-list-entries.ts';
import { auditRow, type Change, perform } from './perform.ts';
import { changedPolicy, type NewProjectFields, readProjectFields } from './project-fields.ts';
import { refuseMissingLists, refusePastEnds, withChange } from './read-rules.ts';

const KINDS = { allowList: 'allow_list', blockList: 'block_list' } as const;

/** Notes in the timelines of people, devices, domains and networks that they were put on a list or taken from it. */
async function listChangeNotes(
  admin: Administration,
  before: ProjectLists,
  after: ProjectLists & Pick<Project, 'id'>,
): Promise<Statement[]> {
  const changed = OWN_LISTS.filter((list) => before[list] !== after[list]);
  if (changed.length === 0) return [];
  const keyedHash = await instanceHash(admin);
  const [at, { actor }] = [admin.now(), admin];
  const listed = new Set(changed.flatMap((list) => after[list].map(({ value }) => value)));
  const entries = changed.flatMap((list): NewTimelineEntry[] => {
    const had = new Set(before[list].map(textOf));
    const added = after[list].filter((entry) => !had.has(textOf(entry)));
    // One that moved to the other list is not off the lists.
    const removed = before[list].filter(({ value }) => !listed.has(value));
    return [
      ...added.flatMap(({ value, note = '' }) =>
        subjectsOf(value, keyedHash).map((subject) => ({
          subject,
          at,
          actor,
          kind: KINDS[list],
          body: note,
        })),
      ),
      ...removed.flatMap(({ value }) =>
        subjectsOf(value, keyedHash).map(
          (subject): NewTimelineEntry => ({ subject, at, actor, kind: 'unlisted', body: '' }),
        ),
      ),
    ];
  });
  return admin.store.timeline.addition(after.id, entries);
}

const textOf = ({ value, note = '', expiresAt }: ListEntry) => JSON.stringify([value, note, expiresAt]);

/** What has a timeline of its own. An address is its person. */
function subjectsOf(value: string, keyedHash: KeyedHash): string[] {
  const parsed = parseListValue(value);
  if (parsed === undefined || parsed.kind === 'country') return [];
  if (parsed.kind === 'address') return inboxHashes(keyedHash, value).map((hash) => `person:${hash}`);
  return [parsed.text];
}

export type ProjectUpdate = ProjectPatch & {
  /** An archived project refuses every request; its data stays. */
  readonly archived?: boolean | undefined;
};

export interface ProjectWithUsage {
  readonly project: Project;
  /** The month’s limit: the project’s own, or else its plan’s. */
  readonly quotaLimit: number;
  readonly quotaUsed: number;
}

const SLUG_LENGTH = 40;

export async function createProject(admin: Administration, fields: NewProjectFields): Promise<Project> {
  const { id: given } = fields;
  const settings = newSettings(admin, given, fields);
  return perform(admin, async () => {
    const id = given ?? (await freeId(admin, settings.name));
    if (given !== undefined && (await admin.store.projects.find(id)) !== undefined)
      throw new StoreConflict(`There is already a project with the ID ${id}`);
    return projectCreation(admin, id, settings);
  });
}

/** What creating a project writes. */
export async function projectCreation(
  admin: Administration,
  id: string,
  settings: ProjectSettings,
  archivedAt: number | null = null,
): Promise<Change<Project>> {
  const { actor, now, reason = null } = admin;
  const { policy, rules } = settings;
  await refuseUnready(admin, id, settings);
  const project = { ...settings, id, createdAt: now(), archivedAt, version: 1 };
  const archived = archivedAt === null ? {} : { archived: true };
  return {
    write: [
      ...admin.store.projects.creation(project, { at: now(), actor, reason, policy, rules }),
      ...(await listChangeNotes(admin, NO_LISTS, project)),
    ],
    note: [
      {
        action: 'project.create',
        project: id,
        detail: { ...auditedChange(settings, NO_LISTS), ...archived },
      },
    ],
    answer: project,
  };
}

/** The settings of a new project: what is given, and the defaults. */
export function newSettings(
  admin: Pick<Administration, 'plans' | 'actor'>,
  id: string | undefined,
  fields: NewProjectFields,
): ProjectSettings {
  const given = withAuthor(readProjectFields(fields, admin.plans, DEFAULT_POLICY), NO_LISTS, admin.actor);
  const plan = given.plan ?? defaultPlan(admin.plans);
  return {
    ...defaultValues(PROJECT_FIELDS),
    name: id ?? 'Project',
    serverReserve: given.quotaLimit == null ? firstReserve(plan, admin.plans) : 0,
    policy: DEFAULT_POLICY,
    rules: [],
    namedLists: {},
    ...given,
    plan,
  };
}

export async function updateProject(
  admin: Administration,
  id: string,
  update: ProjectUpdate,
  expected: ExpectedValues = {},
): Promise<Project> {
  const { after } = await changeProject(admin, id, (current) => {
    refuseUnexpected(current, expected, update);
    if (update.rules !== undefined) refusePastEnds(update.rules, current.rules, admin.now());
    return update;
  });
  return after;
}

/** Changes the project as `decide` says. If another change comes at the same time, `decide` is asked again. */
export async function changeProject(
  admin: Administration,
  id: string,
  decide: (current: Project) => ProjectUpdate,
): Promise<ChangedProject> {
  return perform(admin, async () => {
    const before = await findProject(admin, id);
    const wanted = wantedChange(admin, before, decide(before));
    if (Object.keys(wanted).length === 0)
      throw new InvalidInput('update', 'Nothing to change: name at least one field.');
    return projectChange(admin, before, wanted);
  });
}

interface ChangedProject {
  readonly before: Project;
  readonly after: Project;
}

/** What a change of a project writes: its settings, the policy’s next version, entries in timelines. */
export async function projectChange(
  admin: Administration,
  before: Project,
  change: ProjectChange,
): Promise<Change<ChangedProject>> {
  const after = { ...before, ...change, version: before.version + 1 };
  await refuseUnready(admin, before.id, after, before);
  return {
    write: [
      ...admin.store.projects.change(before, change, savedPolicy(admin, before, change)),
      ...(await listChangeNotes(admin, before, after)),
    ],
    note: [{ action: auditedAction(change), project: before.id, detail: auditedChange(change, before) }],
    answer: { before, after },
  };
}

/** The next version of the policy and its rules, if the change leaves them different. */
function savedPolicy(
  { now, actor, reason }: Administration,
  before: Project,
  { policy = before.policy, rules = before.rules }: ProjectChange,
): SavedPolicy | undefined {
  if (isDeepStrictEqual([policy, rules], [before.policy, before.rules])) return undefined;
  return { at: now(), actor, reason: reason ?? null, policy, rules };
}

/** The update in the form that the store keeps, read and checked. */
export function wantedChange(admin: Administration, current: Project, update: ProjectUpdate): ProjectChange {
  const change = withAuthor(readProjectFields(update, admin.plans, current.policy), current, admin.actor);
  const archivedAt =
    update.archived === undefined ? undefined : update.archived ? (current.archivedAt ?? admin.now()) : null;
  const rules = change.rules && withChange(change.rules, current.rules, admin);
  const wanted = {
    ...change,
    ...(rules !== undefined && { rules }),
    ...(archivedAt !== undefined && { archivedAt }),
  };
  if (rules !== undefined || change.namedLists !== undefined)
    refuseMissingLists(rules ?? current.rules, change.namedLists ?? current.namedLists);
  return wanted;
}

type Asking = Pick<Project, 'policy' | 'rules'>;

/** Whether flags of the project ask for it, by the policy or by a rule. */
export function asksFor({ policy, rules }: Asking, kind: StepUpKind): boolean {
  return policy.stepUp === kind || rules.some(({ stepUp }) => stepUp === kind);
}

/** A flag that begins to ask for a code that cannot be mailed, or for an unknown vendor’s CAPTCHA, would ask for nothing. */
async function refuseUnready(
  { sendsMail, store }: Administration,
  id: string,
  after: Asking,
  before?: Asking,
): Promise<void> {
  const begins = (kind: StepUpKind) => asksFor(after, kind) && !(before && asksFor(before, kind));
  if (begins('code') && sendsMail === false)
    throw new InvalidInput(
      'stepUp',
      'A code can only be mailed with a mail server. Set POSTERN_SMTP_URL and POSTERN_SMTP_FROM, or choose work.',
    );
  if (begins('vendor') && (await store.challenges.vendor(id)) === undefined)
    throw new InvalidInput(
      'stepUp',
      `${before ? 'First enter' : 'Create the project without vendor, then enter'} the account at your CAPTCHA vendor: in the dashboard under Checks, or with postern api 'POST /projects/${id}/step-up-vendor'.`,
    );
}

/** The values of some fields, as the caller saw them. Of the policy, the settings that matter to the caller. */
export type ExpectedValues = ProjectPatch;

export const changedMeanwhile = (what: string) =>
  new StoreConflict(
    `${what}: somebody else changed this meanwhile, so nothing was saved. Look at the new value, then save yours again.`,
  );

/** A value that is already what the caller wants is no conflict: an earlier answer may not have reached them. */
function refuseUnexpected(current: Project, expected: ExpectedValues, update: ProjectUpdate): void {
  const settings: Readonly<Record<string, unknown>> = JSON.parse(JSON.stringify(current));
  // A change of the policy names some of its settings, and no conflict is one that leaves the policy as it is.
  const complete = ({ policy, ...fields }: ProjectPatch): Readonly<Record<string, unknown>> =>
    policy === undefined ? fields : { ...fields, policy: changedPolicy(policy, current.policy) };
  const [seen, wanted] = [complete(expected), complete(update)];
  for (const name of Object.keys(expected)) {
    if (isDeepStrictEqual(settings[name], seen[name]) || isDeepStrictEqual(settings[name], wanted[name]))
      continue;
    const label = fieldRows(PROJECT_FIELDS).find(([field]) => field === name)?.[1].label ?? 'Policy';
    throw changedMeanwhile(label);
  }
}

/** Deletes an archived project with everything that is stored of it. */
export async function deleteProject(
  admin: Administration & { readonly store: AdministeredStore },
  id: string,
): Promise<void> {
  const project = await findProject(admin, id);
  if (project.archivedAt === null)
    throw new InvalidInput(
      'id',
      `Project '${id}' is in use. Archive it first: postern project update ${id} --archive`,
    );
  const noted = auditRow(admin, { action: 'project.delete', project: id, detail: {} });
  if (!(await admin.store.deleteProject(id, noted)))
    throw new StoreConflict(`Project '${id}' was restored or deleted meanwhile; nothing was deleted.`);
  await admin.store.audit.chain();
}

/** The projects with what they used of this month’s quota, oldest first. */
export async function listProjects(
  admin: Pick<Administration, 'store' | 'now' | 'plans'>,
): Promise<ProjectWithUsage[]> {
  const projects = await admin.store.projects.list();
  return Promise.all(projects.map((project) => projectWithUsage(admin, project)));
}

export async function projectWithUsage(
  { store, now, plans }: Pick<Administration, 'store' | 'now' | 'plans'>,
  project: Project,
): Promise<ProjectWithUsage> {
  const quotaUsed = await store.projects.usage(project.id, monthOf(now()));
  return { project, quotaLimit: monthlyQuota(project, plans), quotaUsed };
}

export async function findProject({ store }: Pick<Administration, 'store'>, id: string): Promise<Project> {
  const project = await store.projects.find(id);
  if (project === undefined) throw new NotFound(`There is no project '${id}'.`);
  return project;
}

/**
 * A new project keeps a tenth of its plan’s quota for server keys, so that strangers with the public client key cannot
 * use up all of it. A project with a quota of its own has no reserve unless it is given one.
 */
function firstReserve(plan: string, plans: Administration['plans']): number {
  return Math.floor((plans.get(plan) ?? 0) / 10);
}

function defaultPlan(plans: Administration['plans']): string {
  const [first] = plans.keys();
  if (first === undefined) throw new InvalidInput('plan', 'No plan is configured.');
  return first;
}

/** The name as an ID, with a few random letters if it is taken. Only random letters if the name has no Latin letter. */
async function freeId({ store, randomBytes }: Administration, name: string): Promise<string> {
  const slug = slugOf(name);
  if (slug === '') return randomId('proj_', 12, randomBytes);
  return (await store.projects.find(slug)) === undefined ? slug : randomId(`${slug}-`, 6, randomBytes);
}

function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH)
    .replace(/^-+|-+$/g, '');
}
