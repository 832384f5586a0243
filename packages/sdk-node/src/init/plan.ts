import { packageSpec } from '@postern/contract/sdk-files';
import { UNDO_FILE } from './change-set.ts';
import { editServer, SERVER_FRAMEWORKS } from './edit-server.ts';
import type { PlanFacts, Project } from './project.ts';
import { addScriptTag } from './script-tag.ts';
import { TEMPLATES } from './templates.ts';

export interface Plan {
  /** Path and whole content, in the order in which they are shown. */
  readonly files: readonly (readonly [string, string])[];
  /** What the person does next, one line each. */
  readonly nextSteps: readonly string[];
}

const INSTALL = {
  npm: 'npm install',
  pnpm: 'pnpm install',
  yarn: 'yarn install',
  bun: 'bun install',
} as const;

/** All changes for a project. Applying them twice changes nothing the second time. */
export function planFor(project: Project, facts: PlanFacts): Plan {
  const { framework } = project;
  const template = TEMPLATES[framework];
  const server = SERVER_FRAMEWORKS[framework] === undefined ? null : editServer(project);
  const page = template === undefined ? addScriptTag(project, facts) : [];
  const packages = template?.packages ?? (framework === 'plain' ? [] : ['sdk-node']);
  const files: (readonly [string, string])[] = [
    ...(packages.length > 0 ? [withPackages(project, facts, packages)] : []),
    ...(framework === 'plain' || template?.pageSettings === null
      ? []
      : environmentFiles(project, facts, template?.pageSettings)),
    // A file that is there already is the person’s own.
    ...(template?.files(project, facts) ?? []).filter(
      ([path, content]) => !project.has(path) || project.read(path) === content,
    ),
    ...(template?.edits?.(project) ?? []),
    ...(server === null ? [] : [server.file]),
    ...page,
  ];
  if (files.length === 0) {
    throw new Error('Found no framework in package.json and no page with an email field: nothing to change.');
  }
  return {
    files,
    nextSteps: [
      ...(packages.length > 0 ? [`${INSTALL[project.manager]}`] : []),
      ...(facts.clientKey === '' || (template?.pageSettings === undefined && facts.serverKey === '')
        ? [keysStep(framework, template?.pageSettings)]
        : []),
      ...(template?.nextSteps ?? server?.nextSteps ?? []),
      `Add your site’s domain to the project’s allowed domains; localhost is allowed in a new project.`,
    ],
  };
}

function keysStep(framework: string, pageSettings: string | null | undefined): string {
  if (framework === 'plain') return 'Put your client key into the script tag (data-key).';
  if (pageSettings === null) return 'Put your client key into src/app/postern.ts.';
  const names = pageSettings === undefined ? ['CLIENT', 'SERVER'] : ['CLIENT'];
  return `Put your keys into .env (${names.map((name) => `${pageSettings ?? ''}POSTERN_${name}_KEY`).join(', ')}).`;
}

/** By name and URL, so that no registry is asked for the name. */
function withPackages(
  project: Project,
  { url, files }: PlanFacts,
  packages: readonly string[],
): readonly [string, string] {
  const text = project.read('package.json') ?? '{}\n';
  const manifest = JSON.parse(text) as { dependencies?: Record<string, string> };
  const dependencies = { ...manifest.dependencies };
  for (const name of packages) {
    const file = files.find((one) => one.name === `@postern/${name}`);
    if (file === undefined)
      throw new Error(`${url} does not serve @postern/${name}. Update Postern, then try again.`);
    dependencies[file.name] = packageSpec(url, file).slice(file.name.length + 1);
  }
  const sorted = Object.fromEntries(Object.entries(dependencies).sort(([a], [b]) => (a < b ? -1 : 1)));
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
  return ['package.json', `${JSON.stringify({ ...manifest, dependencies: sorted }, null, indent)}\n`];
}

/** The keys, and lines that keep them out of the repository. */
function environmentFiles(
  project: Project,
  facts: PlanFacts,
  pagePrefix: string | undefined,
): (readonly [string, string])[] {
  const prefix = pagePrefix ?? '';
  const values = {
    [`${prefix}POSTERN_URL`]: facts.url,
    [`${prefix}POSTERN_PROJECT_ID`]: facts.projectId,
    [`${prefix}POSTERN_CLIENT_KEY`]: facts.clientKey,
    // A page must not have it.
    ...(pagePrefix === undefined && { POSTERN_SERVER_KEY: facts.serverKey }),
  };
  const before = project.read('.env') ?? '';
  const missing = Object.entries(values).filter(([name]) => !new RegExp(`^${name}=`, 'm').test(before));
  const ignored = project.read('.gitignore') ?? '';
  const unignored = [
    ...(/^\.env(\*|\r?$)/m.test(ignored) ? [] : ['.env']),
    ...(ignored.includes(UNDO_FILE) ? [] : [UNDO_FILE]),
  ];
  return [
    [
      '.env',
      withLines(
        before,
        missing.map(([name, value]) => `${name}=${value}`),
      ),
    ],
    ['.gitignore', withLines(ignored, unignored)],
  ];
}

function withLines(text: string, lines: readonly string[]): string {
  if (lines.length === 0) return text;
  return `${text === '' || text.endsWith('\n') ? text : `${text}\n`}${lines.join('\n')}\n`;
}
