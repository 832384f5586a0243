import { KEY_ROTATION_DAYS } from '@postern/contract';
import type { NewKeyView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keysQuery } from '../../api/queries.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { Plus } from '../../icons.ts';
import { Hooks } from './hooks.tsx';
import { KeyTable } from './key-table.tsx';
import { NewKey } from './new-key.tsx';
import { Snippets } from './snippets.tsx';

export function KeysPage() {
  const project = useProject();
  const may = usePermissions();
  const keys = useQuery(keysQuery(project.id));
  const [making, setMaking] = useState(false);
  const [fresh, setFresh] = useState<NewKeyView | undefined>();
  const [secretShown, setSecretShown] = useState(false);
  const show = (key: NewKeyView) => {
    setFresh(key);
    setSecretShown(true);
  };
  const due = (keys.data ?? []).filter((key) => key.rotationDue && key.status === 'active').length;
  return (
    <Page
      title="Keys and code"
      lead="Client keys are safe to expose in pages and apps. Server keys are secrets of your backend."
      actions={
        may.change && (
          <Button variant="primary" onClick={() => setMaking(true)}>
            <Plus size={16} aria-hidden="true" /> New key
          </Button>
        )
      }
    >
      {due > 0 && (
        <Notice kind="warn">
          {due === 1 ? 'One key is' : `${due} keys are`} {KEY_ROTATION_DAYS} days old or older. Make a new
          key, deploy it, then revoke the old one: nothing breaks in between. Regenerating is quicker, and the
          old key is dead at once.
        </Notice>
      )}
      <Section title="Keys" flush>
        <Loaded query={keys} pending={<SkeletonRows rows={4} className="px-5 pb-5" />}>
          {(all) => (
            <KeyTable
              keys={all}
              onNew={may.change ? () => setMaking(true) : undefined}
              mayChange={may.change}
              onFresh={show}
            />
          )}
        </Loaded>
      </Section>
      <Hooks projectId={project.id} mayChange={may.change} />
      <Snippets project={project} fresh={fresh} />
      {making && (
        <NewKey
          projectId={project.id}
          onClose={() => setMaking(false)}
          onMade={(key) => {
            setMaking(false);
            show(key);
          }}
        />
      )}
      {fresh !== undefined && secretShown && (
        <ShownOnce
          title={`Your ${fresh.type} key`}
          secret={fresh.key}
          label="key"
          warning={`Copy it now. Only a hash of it is kept, so it cannot be shown again.${fresh.type === 'server' ? ' Keep it out of pages, apps and repositories.' : ''}`}
          onClose={() => setSecretShown(false)}
        >
          <p className="text-[0.9rem] text-soft">The code on this page contains it until you leave.</p>
        </ShownOnce>
      )}
    </Page>
  );
}
