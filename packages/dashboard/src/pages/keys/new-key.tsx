import type { KeyType } from '@postern/contract';
import type { NewKeyRequest, NewKeyView } from '@postern/contract/dashboard';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { Choice } from '../../components/choice.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { SelectField, TextField } from '../../components/text-field.tsx';

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

export function NewKey({ projectId, onClose, onMade }: NewKeyProps) {
  const [type, setType] = useState<KeyType>('client');
  const [mode, setMode] = useState<'live' | 'test'>('live');
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState('');
  const create = useChange({
    inline: true,
    send: (body: NewKeyRequest) => api('POST /projects/:id/keys', { id: projectId }, { body }),
    invalidates: [['keys', projectId]],
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
