import { fieldRows, PROJECT_FIELDS, type ProjectPolicy } from '@postern/contract/project-fields';
import type { ListEntry } from '@postern/service/model/project';
import type { ProjectWithUsage } from '@postern/service/operations/change-project';
import { andMore } from './and-more.ts';
import { isoMoment } from './moment.ts';
import { formatFacts, formatTable } from './table.ts';
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

/** The settings of a policy. */
function policyFacts(policy: ProjectPolicy, colors: Colors): (readonly [string, string])[] {
  const actions = Object.entries(policy.actions).map(([check, action]) => `${check}=${action}`);
  const signals = Object.entries(policy.signals).map(([signal, action]) => `${signal}=${action}`);
  return [
    ['checks', actions.join(' ') || colors.yellow('none')],
    ...(signals.length === 0 ? [] : [['signals', signals.join(' ')] as const]),
    ['device', `fails from ${policy.deviceThreshold} other inboxes on`],
    ['relays', policy.relays],
    ['mail check without an answer', policy.unknownMx],
    ['IP check without an answer', policy.unknownIp],
    ...(policy.stepUp === 'none' ? [] : [['a flag asks for', policy.stepUp] as const]),
    ['client overrides', policy.clientOverrides],
    ...(policy.agents === 'off' ? [] : [['agents', policy.agents] as const]),
    ...(policy.refusal === 'plain' ? [] : [['refusal', policy.refusal] as const]),
    ...messageFacts(policy),
  ];
}

function messageFacts(policy: ProjectPolicy): (readonly [string, string])[] {
  const own = Object.entries(policy.messages).flatMap(([tag, texts]) =>
    Object.keys(texts).map((check) => `${tag}.${check}`),
  );
  return [
    ...(policy.messageLanguage === 'request' ? [] : [['message language', policy.messageLanguage] as const]),
    ...(own.length === 0 ? [] : [['own messages', own.join(' ')] as const]),
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
