import type { AccessToken, NewAccessToken } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { tokensQuery } from '../../api/queries.ts';
import { useChange } from '../../api/use-change.ts';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Form } from '../../components/form.tsx';
import { Section } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { ActionsHead, Cell, NarrowName, Table } from '../../components/table.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Ago } from '../../components/time.tsx';

/** Tokens with which scripts can do what the dashboard does. */
export function AccessTokens() {
  const tokens = useQuery(tokensQuery);
  const [fresh, setFresh] = useState<NewAccessToken | undefined>();
  return (
    <Section
      title="Personal access tokens"
      lead="Give scripts access to the dashboard’s API. A token can do everything that your role can."
      flush
    >
      <NewToken onMade={setFresh} />
      <Loaded query={tokens} pending={<SkeletonRows rows={2} className="px-5 pb-5" />}>
        {(all) =>
          all.length === 0 ? (
            <p className="px-5 pb-5 text-soft">No tokens yet.</p>
          ) : (
            <Table
              label="Personal access tokens"
              flows
              head={['Name', 'Last used', 'Expires', <ActionsHead key="actions" />]}
            >
              {all.map((token) => (
                <TokenRow key={token.id} token={token} />
              ))}
            </Table>
          )
        }
      </Loaded>
      {fresh !== undefined && (
        <ShownOnce
          title="Your access token"
          secret={fresh.token}
          label="token"
          warning="Copy it now; it cannot be shown again. It can do everything that you can."
          onClose={() => setFresh(undefined)}
        >
          <CodeBlock
            label="example"
            code={`curl -s ${window.location.origin}/dashboard/api/v1/projects \\\n  -H 'Authorization: Bearer ${fresh.token}'`}
          />
        </ShownOnce>
      )}
    </Section>
  );
}

function NewToken({ onMade }: { onMade: (token: NewAccessToken) => void }) {
  const [name, setName] = useState('');
  const [days, setDays] = useState('90');
  const create = useChange({
    send: () =>
      api(
        'POST /tokens',
        {},
        { body: { name: name.trim(), ...(days !== '' && { expiresInDays: Number(days) }) } },
      ),
    invalidates: [['tokens']],
    onDone: (token) => {
      setName('');
      onMade(token);
    },
  });
  return (
    <Form className="px-4 pb-4 sm:px-5" onSubmit={() => create.mutate()}>
      <TextField
        label="Name of the token"
        placeholder="What it is for"
        autoComplete="off"
        required
        maxLength={100}
        value={name}
        onChange={setName}
        beside={
          <>
            <select
              aria-label="Expires"
              className="control !w-auto"
              value={days}
              onChange={(event) => setDays(event.target.value)}
            >
              <option value="30">In 30 days</option>
              <option value="90">In 90 days</option>
              <option value="365">In a year</option>
              <option value="">Never</option>
            </select>
            <Button type="submit" busy={create.isPending}>
              Create
            </Button>
          </>
        }
      />
    </Form>
  );
}

function TokenRow({ token }: { token: AccessToken }) {
  const remove = useChange({
    send: () => api('DELETE /tokens/:id', { id: token.id }),
    invalidates: [['tokens']],
    successText: 'The token is removed.',
  });
  return (
    <tr>
      <Cell className="font-medium wrap-anywhere">{token.name}</Cell>
      <Cell className="text-soft">
        <NarrowName>used</NarrowName>
        {token.lastUsedAt === null ? 'never' : <Ago at={token.lastUsedAt} />}
      </Cell>
      <Cell className="text-soft">
        <NarrowName>expires</NarrowName>
        {token.expiresAt === null ? 'never' : <Ago at={token.expiresAt} />}
      </Cell>
      <Cell className="text-right">
        <Button small variant="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          Remove
        </Button>
      </Cell>
    </tr>
  );
}
