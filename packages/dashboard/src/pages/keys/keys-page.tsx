import { KEY_ROTATION_DAYS, type KeyType } from '@postern/contract';
import type { NewKeyRequest, NewKeyView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { keysQuery } from '../../api/queries.ts';
import { useChange } from '../../api/use-change.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { MissingForm } from '../../components/missing-form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { SelectField, TextField } from '../../components/text-field.tsx';
import { Plus } from '../../icons.ts';
import { Hooks } from './hooks.tsx';
import { KeyTable } from './key-table.tsx';
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
            <Plus size={16} /> New key
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
      <MissingForm projectId={project.id} />
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

interface NewKeyProps {
  projectId: string;
  onClose: () => void;
  onMade: (key: NewKeyView) => void;
}

const TYPE_HELP: Record<KeyType, string> = {
  client: 'For pages and apps. It is public, and works only from the project’s allowed domains.',
  server: 'For your backend. It is secret, and refused when a browser sends it.',
};

const MODE_HELP = {
  live: 'For real sign-ups. Requests count against the quota; devices and inboxes are remembered.',
  test: 'The same answers, but nothing is counted or remembered. Addresses such as block@postern.test give a fixed answer.',
};

const TYPES = { client: 'Client', server: 'Server' };
const MODES = { live: 'Live', test: 'Test' };
const EXPIRIES = [
  ['', 'Never'],
  ...[7, 30, 90, 180, 365].map((days) => [String(days), `In ${days} days`] as const),
] as const;

function NewKey({ projectId, onClose, onMade }: NewKeyProps) {
  const [type, setType] = useState<KeyType>('client');
  const [mode, setMode] = useState<'live' | 'test'>('live');
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState('');
  const create = useChange({
    inline: true,
    send: (body: NewKeyRequest) => api('POST /projects/:id/keys', { id: projectId }, { body }),
    onDone: onMade,
  });
  const submit = () => {
    create.mutate({
      type,
      mode,
      ...(name.trim() !== '' && { name: name.trim() }),
      ...(expiry !== '' && { expiresInDays: Number(expiry) }),
    });
  };
  return (
    <FormDialog
      title="New key"
      action="Create the key"
      busy={create.isPending}
      error={create.error?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <Choice label="Type" value={type} options={TYPES} onChange={setType} hint={TYPE_HELP[type]} />
      <Choice label="Mode" value={mode} options={MODES} onChange={setMode} hint={MODE_HELP[mode]} />
      <TextField
        label="Name (optional)"
        hint="Where it is used, so that you know later what a change would break."
        maxLength={100}
        placeholder="Sign-up form"
        value={name}
        onChange={setName}
      />
      <SelectField label="Expires" value={expiry} options={EXPIRIES} onChange={setExpiry} />
    </FormDialog>
  );
}
