import type { NewKeyView, ProjectView } from '@postern/contract/dashboard';
import { frameworkSteps, type Step, type StepFacts } from '@postern/contract/framework-steps';
import type { SdkManifest } from '@postern/contract/sdk-files';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CodeBlock } from '../../components/code-block.tsx';
import { Section } from '../../components/page.tsx';
import { SelectField } from '../../components/text-field.tsx';

/** `null` when the service was built without the SDKs. */
const sdkQuery = queryOptions({
  queryKey: ['sdk'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }): Promise<SdkManifest | null> => {
    const response = await fetch('/sdk', { signal, headers: { Accept: 'application/json' } });
    return response.ok ? ((await response.json()) as SdkManifest) : null;
  },
});

/** The steps for a framework, or for a single call. */
function stepsFor(id: string, sdk: SdkManifest | null, facts: StepFacts): Step[] {
  const guide = sdk?.frameworks.find((framework) => framework.id === id);
  return sdk === null || guide === undefined ? [curlStep(facts)] : frameworkSteps(guide, sdk, facts);
}

function curlStep({ baseUrl, projectId, serverKey }: StepFacts): Step {
  return {
    title: 'One call, with a server key',
    language: 'sh',
    code: `curl -s ${baseUrl}/validate \\
  -H 'Authorization: Bearer ${serverKey}' \\
  -H 'X-Project-Id: ${projectId}' \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"jane.doe@gmail.com"}'`,
  };
}

interface SnippetsProps {
  project: ProjectView;
  /** A key that was just made, to fill in. */
  fresh: NewKeyView | undefined;
}

export function Snippets({ project, fresh }: SnippetsProps) {
  const [framework, setFramework] = useState<string | undefined>();
  const sdk = useQuery(sdkQuery).data ?? null;
  const forPages = sdk?.frameworks.find(({ page }) => page === 'script')?.id;
  const chosen = framework ?? (fresh?.type === 'client' && forPages ? forPages : 'curl');
  const frameworks = sdk?.frameworks.map(({ id, title }) => [id, title] as const) ?? [];
  const keyOf = (type: 'client' | 'server') =>
    fresh?.type === type ? fresh.key : `YOUR_${type.toUpperCase()}_KEY`;
  const steps = stepsFor(chosen, sdk, {
    baseUrl: window.location.origin,
    projectId: project.id,
    clientKey: keyOf('client'),
    serverKey: keyOf('server'),
    malformed: ownMalformedText(project.policy),
  });
  return (
    <Section title="Code to paste" lead="The steps for your framework, with this project’s ID filled in.">
      <div className="grid min-w-0 grid-cols-1 gap-3">
        <SelectField
          label="Framework"
          value={chosen}
          options={[['curl', 'None: one call with curl'], ...frameworks]}
          onChange={setFramework}
        />
        {steps.map(({ title, note, code }) => (
          <div key={title} className="grid min-w-0 grid-cols-1 gap-1">
            <h3 className="font-medium">{title.replaceAll('`', '')}</h3>
            {note && <p className="text-[0.8667rem] text-faint">{note.replaceAll('`', '')}</p>}
            <CodeBlock code={code} label={title.replaceAll('`', '')} />
          </div>
        ))}
        <p className="text-[0.8667rem] text-faint">
          A client key works on the project’s allowed domains only. A server key belongs into the backend’s
          environment.
        </p>
      </div>
    </Section>
  );
}

/**
 * The project’s own message for the syntax check, in the language that its answers have; if requests choose the
 * language, English or the only language that has one.
 */
export function ownMalformedText({
  messages,
  messageLanguage,
}: Pick<ProjectView['policy'], 'messages' | 'messageLanguage'>): string | undefined {
  const own = new Map(
    Object.entries(messages).flatMap(([language, texts]) =>
      texts?.syntax === undefined ? [] : [[language, texts.syntax] as const],
    ),
  );
  if (messageLanguage !== 'request') return own.get(messageLanguage);
  return own.get('en') ?? (own.size === 1 ? [...own.values()][0] : undefined);
}
