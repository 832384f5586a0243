import type { PasskeyView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { addPasskey, canUsePasskeys } from '../../api/passkeys.ts';
import { passkeysQuery } from '../../api/queries.ts';
import { useChange } from '../../api/use-change.ts';
import { useSession } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { ActionsHead, AgoCell, Cell, Table } from '../../components/table.tsx';
import { TextField } from '../../components/text-field.tsx';
import { deviceName } from './device-name.ts';

export function Passkeys() {
  const { passkeyHost } = useSession();
  const passkeys = useQuery(passkeysQuery);
  return (
    <Section
      title="Passkeys"
      lead="Sign in with a fingerprint, a face or a PIN instead of the password and the second factor."
      flush
    >
      {canUsePasskeys(passkeyHost) ? (
        <NewPasskey />
      ) : (
        <p className="px-4 pb-4 text-soft sm:px-5">
          Passkeys work on <code>{passkeyHost}</code>. Open the dashboard there, or set{' '}
          <code>POSTERN_PUBLIC_URL</code> to the address that people use.
        </p>
      )}
      <Loaded query={passkeys} pending={<SkeletonRows rows={1} className="px-5 pb-5" />}>
        {(all) =>
          all.length === 0 ? (
            <p className="px-4 pb-5 text-soft sm:px-5">No passkeys yet.</p>
          ) : (
            <Table label="Passkeys" head={['Name', 'Added', 'Kept', <ActionsHead key="actions" />]} flows>
              {all.map((passkey) => (
                <PasskeyLine key={passkey.id} passkey={passkey} />
              ))}
            </Table>
          )
        }
      </Loaded>
    </Section>
  );
}

function NewPasskey() {
  const [name, setName] = useState(() => deviceName(navigator.userAgent));
  const [password, setPassword] = useState('');
  const add = useChange({
    inline: true,
    send: () => addPasskey(name.trim(), password),
    successText: 'The passkey is added. You can sign in with it.',
    onDone: () => setPassword(''),
  });
  return (
    <Form className="grid gap-2 px-4 pb-4 sm:px-5" onSubmit={() => add.mutate()}>
      <TextField
        label="Name of the passkey"
        autoComplete="off"
        required
        maxLength={100}
        value={name}
        onChange={setName}
      />
      <TextField
        label="Password, to add a passkey"
        hint="A passkey opens your account without the password, so adding one asks for it."
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={setPassword}
        beside={
          <Button type="submit" busy={add.isPending}>
            Add a passkey
          </Button>
        }
      />
      {add.error !== null && <Notice kind="bad">{add.error.message}</Notice>}
    </Form>
  );
}

function PasskeyLine({ passkey }: { passkey: PasskeyView }) {
  const [draft, setDraft] = useState<string | undefined>();
  const { id } = passkey;
  const rename = useChange({
    send: (name: string) => api('PATCH /passkeys/:id', { id }, { body: { name } }),
    successText: 'The passkey is renamed.',
    onDone: () => setDraft(undefined),
  });
  const remove = useChange({
    send: () => api('DELETE /passkeys/:id', { id }),
    successText: 'The passkey is removed. Delete it on your device too.',
  });
  return (
    <tr>
      <Cell className="font-medium wrap-anywhere">
        {draft === undefined ? (
          passkey.name
        ) : (
          <input
            aria-label={`New name of ${passkey.name}`}
            className="control"
            maxLength={100}
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
          />
        )}
      </Cell>
      <AgoCell name="added" at={passkey.createdAt} />
      <Cell className="text-soft">{passkey.synced ? 'on your devices' : 'on one device'}</Cell>
      <Cell className="text-right">
        <span className="inline-flex gap-2">
          {draft === undefined ? (
            <Button small aria-label={`Rename ${passkey.name}`} onClick={() => setDraft(passkey.name)}>
              Rename
            </Button>
          ) : (
            <Button
              small
              variant="primary"
              disabled={draft.trim() === ''}
              busy={rename.isPending}
              onClick={() => rename.mutate(draft.trim())}
            >
              Save
            </Button>
          )}
          <Button
            small
            variant="danger"
            aria-label={`Remove ${passkey.name}`}
            busy={remove.isPending}
            onClick={() => remove.mutate()}
          >
            Remove
          </Button>
        </span>
      </Cell>
    </tr>
  );
}
