import type { NewKeyView, ProjectView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CodeBlock } from '../../components/code-block.tsx';
import { Section } from '../../components/page.tsx';
import { SelectField } from '../../components/text-field.tsx';
import { ownMalformedText } from './own-malformed-text.ts';
import { sdkQuery, stepsFor } from './sdk-lines.ts';

interface SnippetsProps {
  project: ProjectView;
  /** A key that was just made, to fill in. */
  fresh: NewKeyView | undefined;
}

export function Snippets({ project, fresh }: SnippetsProps) {
  const [chosen, setChosen] = useState('curl');
  const sdk = useQuery(sdkQuery).data ?? null;
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
          onChange={setChosen}
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
