import { type FrameworkGuide, packageSpec, type SdkManifest, scriptTag } from './sdk-files.ts';

/** What is filled into the steps. */
export interface StepFacts {
  readonly baseUrl: string;
  readonly projectId: string;
  readonly clientKey: string;
  readonly serverKey: string;
  /** The project’s own words for an invalid address, which the form shows without asking the service. */
  readonly malformed?: string | undefined;
}

export interface Step {
  readonly title: string;
  readonly note?: string | undefined;
  readonly language: string;
  readonly code: string;
}

/** What to do in a project of this framework, in order. Command line, dashboard, docs and `/llms` show the same steps. */
export function frameworkSteps(guide: FrameworkGuide, manifest: SdkManifest, facts: StepFacts): Step[] {
  const settings = environment(guide, facts);
  const steps: (Step | false)[] = [
    guide.packages.length > 0 && {
      title: 'Install',
      language: 'sh',
      code: `npm install ${guide.packages.map((name) => packageSpec(facts.baseUrl, fileOf(name, manifest))).join(' ')}`,
    },
    settings.length > 0 && {
      title: 'Set the environment',
      note: SECRET[guide.page],
      language: 'ini',
      code: settings.join('\n'),
    },
    ...guide.files.map(({ path, note, code }) => ({
      title: `\`${path}\``,
      note,
      language: path.split('.').at(-1) ?? '',
      code: code.trim(),
    })),
    guide.page === 'script' && {
      title: 'The page',
      note: 'In the page with the form. `data-form` must be the ID of your form, after a `#`. The form sends `email`, and Postern adds `postern-verdict`.',
      language: 'html',
      code: `${FORM}\n${scriptTag(facts.baseUrl, manifest, {
        project: facts.projectId,
        key: facts.clientKey,
        form: '#sign-up',
        malformed: facts.malformed,
      })}`,
    },
  ];
  return steps.filter((step) => step !== false);
}

/** The steps as one Markdown text. */
export function stepsMarkdown(steps: readonly Step[], heading = '##'): string {
  return steps
    .map(({ title, note, language, code }) =>
      [`${heading} ${title}`, ...(note ? [note] : []), `\`\`\`${language}\n${code}\n\`\`\``].join('\n\n'),
    )
    .join('\n\n');
}

const FORM = `<form id="sign-up" method="post" action="/sign-up">
  <label>Email <input name="email" type="email" autocomplete="email" required></label>
  <button>Sign up</button>
</form>`;

const SECRET: Readonly<Partial<Record<FrameworkGuide['page'], string>>> = {
  script: 'The server key is a secret. Never put it into a page.',
  server: 'The server key is a secret; the page gets the client key only.',
  vite: 'The build puts these into the page. None of them is a secret; never put the server key here. Your backend needs a guard too: see the page of its framework.',
};

function environment(
  { page, packages }: FrameworkGuide,
  { baseUrl, projectId, clientKey, serverKey }: StepFacts,
): string[] {
  const prefix = page === 'vite' ? 'VITE_' : '';
  const hasBackend = packages.includes('sdk-node');
  if (!hasBackend && page !== 'vite') return [];
  return [
    `${prefix}POSTERN_URL=${baseUrl}`,
    `${prefix}POSTERN_PROJECT_ID=${projectId}`,
    ...(page === 'script' ? [] : [`${prefix}POSTERN_CLIENT_KEY=${clientKey}`]),
    ...(hasBackend ? [`POSTERN_SERVER_KEY=${serverKey}`] : []),
  ];
}

function fileOf(name: string, manifest: SdkManifest): { name: string; keptAs: string } {
  const wanted = `postern~${name}`;
  return (
    manifest.files.find((file) => file.name === wanted) ?? {
      name: wanted,
      keptAs: `postern-${name}-${manifest.version}.tgz`,
    }
  );
}
