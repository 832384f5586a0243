import {
  fieldRows,
  POLICY_FIELDS,
  PROJECT_FIELDS,
  type ProjectPolicy,
} from '@postern/contract/project-fields';
import type { ListEntry } from '@postern/service/model/project';
import type { ProjectWithUsage } from '@postern/service/operations/change-project';
import { isoMoment } from './moment.ts';
import { andMore, formatFacts, formatTable } from './table.ts';
import type { Colors } from './terminal.ts';

/** A project as `--json` prints it. */
export function projectJson({ project, quotaLimit, quotaUsed }: ProjectWithUsage): Record<string, unknown> {
  return {
    id: project.id,
    ...Object.fromEntries(fieldRows(PROJECT_FIELDS).map(([name]) => [name, project[name]])),
    /** The effective limit, and the project’s own if it has one. */
    quotaLimit,
    ownQuotaLimit: project.quotaLimit,
    quotaUsed,
    policy: project.policy,
    allowList: project.allowList.map(listEntryJson),
    blockList: project.blockList.map(listEntryJson),
    createdAt: isoMoment(project.createdAt),
    archivedAt: isoMoment(project.archivedAt),
  };
}

function listEntryJson(entry: ListEntry): Record<string, unknown> {
  return { ...entry, ...(entry.expiresAt === undefined ? {} : { expiresAt: isoMoment(entry.expiresAt) }) };
}

export function projectText(view: ProjectWithUsage, colors: Colors): string {
  const { project, quotaLimit, quotaUsed } = view;
  return formatFacts(
    [
      ['id', colors.bold(project.id)],
      ['name', project.name],
      [
        'allowed domains',
        project.allowedDomains.join(', ') || colors.yellow('none: client keys are refused'),
      ],
      ['plan', project.plan],
      [
        'quota',
        `${quotaUsed} of ${quotaLimit} used this month${project.quotaLimit === null ? '' : ' (own limit)'}`,
      ],
      ...countFacts(project),
      ...policyFacts(project.policy, colors),
      ...(project.allowList.length + project.blockList.length === 0
        ? []
        : [
            [
              'own lists',
              `${project.allowList.length} allowed, ${project.blockList.length} blocked`,
            ] as const,
          ]),
      ...(project.archivedAt === null
        ? []
        : [['archived', colors.yellow(isoMoment(project.archivedAt))] as const]),
    ],
    colors,
  );
}

/** What the checks do, and each setting of the policy that is not the usual one. */
function policyFacts(policy: ProjectPolicy, colors: Colors): (readonly [string, string])[] {
  const pairs = (actions: object) =>
    Object.entries(actions).map(([name, action]) =>
      typeof action === 'object' ? `${name}: ${Object.keys(action).join(', ')}` : `${name}=${action}`,
    );
  return [
    ['checks', pairs(policy.actions).join(' ') || colors.yellow('none')],
    ...fieldRows(POLICY_FIELDS).flatMap(([name, field]) => {
      const value = policy[name];
      if (name === 'actions' || JSON.stringify(value) === JSON.stringify(field.default)) return [];
      const text = typeof value === 'object' ? pairs(value).join(' ') : String(value);
      return [[field.label.toLowerCase(), text] as const];
    }),
  ];
}

/** The numbers of the field table, without those that are not set. The quota has a line of its own. */
function countFacts(project: ProjectWithUsage['project']): (readonly [string, string])[] {
  return fieldRows(PROJECT_FIELDS).flatMap(([name, field]) =>
    field.kind === 'count' && name !== 'quotaLimit' && project[name] !== null
      ? [[field.label.toLowerCase(), `${project[name]} ${field.unit}`] as const]
      : [],
  );
}

export function projectStore(views: readonly ProjectWithUsage[], colors: Colors): string {
  return formatTable(
    views,
    [
      { title: 'id', cell: ({ project }) => colors.bold(project.id) },
      { title: 'name', cell: ({ project }) => project.name },
      { title: 'plan', cell: ({ project }) => project.plan },
      { title: 'used', cell: ({ quotaUsed }) => String(quotaUsed), align: 'right' },
      { title: 'quota', cell: ({ quotaLimit }) => String(quotaLimit), align: 'right' },
      { title: 'allowed domains', cell: ({ project }) => shorten(project.allowedDomains) },
      {
        title: 'state',
        cell: ({ project }) => (project.archivedAt === null ? 'live' : colors.yellow('archived')),
      },
    ],
    colors,
  );
}

function shorten(domains: readonly string[]): string {
  return domains.length === 0 ? '(none)' : andMore(domains.slice(0, 3), domains.length);
}
