import type { NewKeyView, ProjectView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Choice } from '../../components/choice.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Section } from '../../components/page.tsx';
import { ownMalformedText } from './own-malformed-text.ts';
import { sdkQuery } from './sdk-lines.ts';
import { SNIPPETS } from './snippet-texts.ts';

interface SnippetsProps {
  project: ProjectView;
  /** A key that was just made, to fill in. */
  fresh: NewKeyView | undefined;
}

export function Snippets({ project, fresh }: SnippetsProps) {
  const [chosen, setChosen] = useState('curl');
  const sdk = useQuery(sdkQuery).data ?? null;
  const snippet = SNIPPETS.find(({ id }) => id === chosen);
  const keyOf = (type: 'client' | 'server') =>
    fresh?.type === type ? fresh.key : `YOUR_${type.toUpperCase()}_KEY`;
  const code = snippet?.text({
    baseUrl: window.location.origin,
    projectId: project.id,
    clientKey: keyOf('client'),
    serverKey: keyOf('server'),
    sdk,
    malformed: ownMalformedText(project.policy),
  });
  return (
    <Section title="Code to paste" lead="Examples with this project’s ID filled in.">
      <div className="grid min-w-0 grid-cols-1 gap-3">
        <Choice
          label="Where do you call it from?"
          hideLabel
          value={chosen}
          options={SNIPPETS.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={setChosen}
        />
        {snippet !== undefined && code !== undefined && (
          <>
            <CodeBlock code={code} label={`${snippet.name} snippet`} />
            <p className="text-[0.8667rem] text-faint">{snippet.needs}</p>
          </>
        )}
      </div>
    </Section>
  );
}
