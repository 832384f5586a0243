import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { applyChanges, type Change, diffOf, undoChanges } from './change-set.ts';
import { planFor } from './plan.ts';
import { FRAMEWORK_TITLES, type PlanFacts, type Project, readProject } from './project.ts';

export interface InitContext {
  readonly folder: string;
  /** Where this script runs from: npx leaves the address it came from beside it. */
  readonly script: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isInteractive: boolean;
  readonly print: (text: string) => void;
}

const HELP = `Adds Postern to the project in this folder: the client, the environment file, a guard and a form.
It shows every change and asks before it writes.

  --url URL            the service (default: where this command came from)
  --project ID         the project (default: demo)
  --client-key KEY     the key for pages
  --server-key KEY     the key for the backend
  --yes                write without asking
  --dry-run            only show the changes
  --undo               restore the files as they were`;

const OPTIONS = {
  url: { type: 'string' },
  project: { type: 'string', default: 'demo' },
  'client-key': { type: 'string', default: '' },
  'server-key': { type: 'string', default: '' },
  yes: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  undo: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Returns the exit code: 0, or 2 for a mistake. */
export async function runInit(args: readonly string[], context: InitContext): Promise<number> {
  const { print, folder } = context;
  try {
    const { values } = parseArgs({ args: [...args], options: OPTIONS });
    if (values.help) print(HELP);
    else if (values.undo) print(undo(folder));
    else {
      const url = (values.url ?? cameFrom(context.script) ?? context.environment.POSTERN_URL)?.replace(
        /\/+$/,
        '',
      );
      if (url === undefined) throw new Error('Say where Postern runs: --url https://postern.example.com');
      const facts: PlanFacts = {
        url,
        files: await manifestOf(url),
        projectId: values.project,
        clientKey: values['client-key'],
        serverKey: values['server-key'],
      };
      const mayWrite = values['dry-run'] ? 'never' : values.yes ? 'always' : 'ask';
      await setUp(facts, mayWrite, context);
    }
    return 0;
  } catch (error) {
    print(error instanceof Error ? error.message : String(error));
    return 2;
  }
}

async function setUp(
  facts: PlanFacts,
  mayWrite: 'always' | 'ask' | 'never',
  context: InitContext,
): Promise<void> {
  const { folder, print } = context;
  const project = readProject(folder);
  const plan = planFor(project, facts);
  print(`${whatWasFound(project)}\n`);
  const changes = plan.files.flatMap(([path, after]): Change[] => {
    const before = project.read(path) ?? null;
    return before === after ? [] : [{ path, before, after }];
  });
  if (changes.length === 0) return print('Everything is there already.');
  for (const change of changes) print(`${diffOf(change)}\n`);
  if (mayWrite === 'never' || (mayWrite === 'ask' && !(await confirmed(context))))
    return print('Nothing was written.');
  applyChanges(folder, changes);
  print(
    [
      'Written. Next:',
      ...plan.nextSteps.map((step) => `  ${step}`),
      '  To undo it: the same command with --undo',
    ].join('\n'),
  );
}

function whatWasFound({ framework, isTypeScript, manager }: Project): string {
  const title = FRAMEWORK_TITLES[framework];
  if (framework === 'plain') return `Found ${title}.`;
  return `Found ${title}${isTypeScript ? ' with TypeScript' : ''}. Packages are installed with ${manager}.`;
}

async function confirmed({ isInteractive }: InitContext): Promise<boolean> {
  if (!isInteractive) throw new Error('There is no terminal to ask on. Add --yes to write these changes.');
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await lines.question('Write these changes? [y/N] ');
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}

function undo(folder: string): string {
  const edited = undoChanges(folder);
  if (edited === null) return 'There is nothing to undo here.';
  if (edited.length === 0)
    return 'Everything is as it was. Run your package manager’s install to remove the packages.';
  return `Undone, except for .gitignore and files that have changed since: ${edited.join(', ')}`;
}

/** `npx` and `pnpm dlx` note where a package came from, in the folder that they made for it. */
function cameFrom(script: string): string | undefined {
  for (let folder = dirname(script); folder !== dirname(folder); folder = dirname(folder)) {
    for (const path of ['.package-lock.json', 'package.json'].map((name) => join(folder, name))) {
      const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
      const url = /"(https?:\/\/[^"]+)\/sdk\/[^"/]+\.tgz"/.exec(text)?.[1];
      if (url !== undefined) return url;
    }
  }
  return undefined;
}

async function manifestOf(url: string): Promise<PlanFacts['files']> {
  const response = await fetch(`${url}/sdk`, { headers: { Accept: 'application/json' } }).catch(
    (cause: unknown) => {
      throw new Error(`Postern does not answer at ${url}. Is it running?`, { cause });
    },
  );
  if (!response.ok) throw new Error(`${url}/sdk answered ${response.status}. Is this Postern’s address?`);
  return ((await response.json()) as { files: PlanFacts['files'] }).files;
}
