import type { KeyType } from '@postern/contract';
import type { NewKeyRequest, NewKeyView } from '@postern/contract/dashboard';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { Field } from '../../components/field.tsx';
import { Modal } from '../../components/modal.tsx';
import { Notice } from '../../components/notice.tsx';

interface NewKeyProps {
  projectId: string;
  onClose: () => void;
  onMade: (key: NewKeyView) => void;
}

const TYPE_HELP: Record<KeyType, string> = {
  client: 'For pages and apps. Works only from the project’s allowed domains; anybody may see it.',
  server: 'For your backend. May name the user’s IP and user agent; refused when a browser sends it.',
};

export function NewKey({ projectId, onClose, onMade }: NewKeyProps) {
  const [type, setType] = useState<KeyType>('client');
  const [mode, setMode] = useState<'live' | 'test'>('live');
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState('');
  const create = useChange({
    send: (request: NewKeyRequest) =>
      api.post<NewKeyView>(`/projects/${encodeURIComponent(projectId)}/keys`, request),
    outdates: [['keys', projectId]],
    onDone: onMade,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({
      type,
      mode,
      ...(name.trim() !== '' && { name: name.trim() }),
      ...(expiry !== '' && { expiresInDays: Number(expiry) }),
    });
  };
  return (
    <Modal title="New key" onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <div className="grid gap-1.5">
          <Choice
            label="Type"
            value={type}
            options={[
              { value: 'client', label: 'Client' },
              { value: 'server', label: 'Server' },
            ]}
            onChange={setType}
          />
          <p className="text-[0.8667rem] text-faint">{TYPE_HELP[type]}</p>
        </div>
        <div className="grid gap-1.5">
          <Choice
            label="Mode"
            value={mode}
            options={[
              { value: 'live', label: 'Live' },
              { value: 'test', label: 'Test' },
            ]}
            onChange={setMode}
          />
          <p className="text-[0.8667rem] text-faint">
            {mode === 'live'
              ? 'Counts against the quota, and remembers devices and inboxes.'
              : 'Same rules and answers, no quota, nothing remembered; block@postern.test and its siblings give each outcome.'}
          </p>
        </div>
        <Field
          label="Name (optional)"
          hint="Where it is used, so that you know later what a change would break."
        >
          {(props) => (
            <input
              {...props}
              className="control"
              maxLength={100}
              placeholder="Sign-up form"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field label="Expires">
          {(props) => (
            <select
              {...props}
              className="control"
              value={expiry}
              onChange={(event) => setExpiry(event.target.value)}
            >
              <option value="">Never</option>
              {[7, 30, 90, 180, 365].map((days) => (
                <option key={days} value={days}>
                  In {days} days
                </option>
              ))}
            </select>
          )}
        </Field>
        {create.error !== null && <Notice kind="bad">{create.error.message}</Notice>}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={create.isPending}>
            Create the key
          </Button>
        </div>
      </form>
    </Modal>
  );
}
