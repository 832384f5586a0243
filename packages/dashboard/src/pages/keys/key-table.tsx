import type { KeyView, NewKeyView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { keysQuery } from '../../api/queries.ts';
import { useChange } from '../../api/use-change.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { plural } from '../../components/format.ts';
import { ActionsHead, Cell, Table, WIDE_CELL } from '../../components/table.tsx';
import { Ago } from '../../components/time.tsx';
import { KeyRound, RefreshCw } from '../../icons.ts';

interface KeyTableProps {
  keys: readonly KeyView[];
  mayChange: boolean;
  onNew: (() => void) | undefined;
  onFresh: (key: NewKeyView) => void;
}

type Question = { readonly what: 'regenerate' | 'revoke'; readonly key: KeyView };

export function KeyTable({ keys, mayChange, onNew, onFresh }: KeyTableProps) {
  const [question, setQuestion] = useState<Question | undefined>();
  if (keys.length === 0) {
    return (
      <EmptyState
        icon={KeyRound}
        title="No keys yet"
        action={
          onNew !== undefined && (
            <Button variant="primary" onClick={onNew}>
              Create the first key
            </Button>
          )
        }
      >
        A sign-up page needs a client key, a backend needs a server key. Start with a test key if you want to
        try without counting.
      </EmptyState>
    );
  }
  const rank = { active: 0, expired: 1, revoked: 2 };
  const sorted = [...keys].sort((a, b) => rank[a.status] - rank[b.status] || b.createdAt - a.createdAt);
  return (
    <>
      <Table label="API keys" head={HEAD} wideColumns={[1, 2, 3, 4]}>
        {sorted.map((key) => (
          <KeyRow key={key.id} view={key} mayChange={mayChange} ask={(what) => setQuestion({ what, key })} />
        ))}
      </Table>
      {question !== undefined && (
        <KeyQuestion question={question} onClose={() => setQuestion(undefined)} onFresh={onFresh} />
      )}
    </>
  );
}

const HEAD = ['Key', 'Type', 'Last used', 'Age', 'Expires', <ActionsHead key="actions" />];

interface KeyRowProps {
  view: KeyView;
  mayChange: boolean;
  ask: (what: Question['what']) => void;
}

function KeyRow({ view, mayChange, ask }: KeyRowProps) {
  const live = view.status === 'active';
  const used = view.lastUsedAt === null ? 'never' : <Ago at={view.lastUsedAt} />;
  const expires = view.expiresAt === null ? 'never' : <Ago at={view.expiresAt} />;
  return (
    <tr className={live ? undefined : 'text-faint'}>
      <Cell className="min-w-40 wrap-anywhere">
        <div className="font-medium">{view.name === '' ? 'Unnamed' : view.name}</div>
        <div className="font-mono text-[0.8rem] text-faint">{view.hint}</div>
        <div className="mt-1.5 grid gap-1.5 md:hidden">
          <Marks view={view} />
          <span className="text-[0.8333rem] text-faint">
            Used {used}, {plural(view.ageDays, 'day')} old, expires {expires}
          </span>
        </div>
      </Cell>
      <Cell className={WIDE_CELL}>
        <Marks view={view} />
      </Cell>
      <Cell className={`${WIDE_CELL} text-soft`}>{used}</Cell>
      <Cell className={`${WIDE_CELL} num whitespace-nowrap text-soft`}>{plural(view.ageDays, 'day')}</Cell>
      <Cell className={`${WIDE_CELL} text-soft`}>{expires}</Cell>
      <Cell>
        {mayChange && live && (
          <span className="flex flex-col items-stretch justify-end gap-1.5 md:flex-row">
            <Button small onClick={() => ask('regenerate')}>
              Regenerate
            </Button>
            <Button small variant="danger" onClick={() => ask('revoke')}>
              Revoke
            </Button>
          </span>
        )}
      </Cell>
    </tr>
  );
}

function Marks({ view }: { view: KeyView }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      <Badge tone={view.type === 'server' ? 'accent' : 'neutral'}>{view.type}</Badge>
      {view.mode === 'test' && <Badge>test</Badge>}
      {view.status !== 'active' && <Badge tone="block">{view.status}</Badge>}
      {view.status === 'active' && view.rotationDue && (
        <Badge tone="flag">
          <RefreshCw size={12} /> rotate
        </Badge>
      )}
    </span>
  );
}

interface KeyQuestionProps {
  question: Question;
  onClose: () => void;
  onFresh: (key: NewKeyView) => void;
}

function KeyQuestion({ question: { what, key }, onClose, onFresh }: KeyQuestionProps) {
  const change = useChange({
    send: async () => {
      const path = { keyId: key.id };
      if (what === 'regenerate') return api('POST /keys/:keyId/regenerate', path, { body: {} });
      await api('POST /keys/:keyId/revoke', path);
      return undefined;
    },
    inline: true,
    successText:
      what === 'regenerate'
        ? 'The old key no longer works. The new one is shown once.'
        : 'The key is revoked.',
    onDone: (answer) => {
      onClose();
      if (answer !== undefined) onFresh(answer);
    },
  });
  const name = key.name === '' ? key.hint : key.name;
  return (
    <Confirm
      title={what === 'regenerate' ? `Regenerate “${name}”?` : `Revoke “${name}”?`}
      action={what === 'regenerate' ? 'Regenerate the key' : 'Revoke the key'}
      change={change}
      onClose={onClose}
    >
      <p>
        {what === 'regenerate'
          ? 'You get a new secret, and the old one stops working at once. Requests that still use it get 401.'
          : 'The key stops working at once and forever. Requests that still use it get 401.'}
      </p>
      <LastUse asked={key} />
    </Confirm>
  );
}

/** People decide on an outage by this sentence, so it is read anew. */
function LastUse({ asked }: { asked: KeyView }) {
  const keys = useQuery({ ...keysQuery(asked.projectId), refetchOnMount: 'always' });
  if (keys.isFetching) return <p role="status">Looking up when it was last used…</p>;
  if (keys.isError) return <p>It is not known when it was last used: the service does not answer.</p>;
  const { lastUsedAt } = keys.data?.find(({ id }) => id === asked.id) ?? asked;
  if (lastUsedAt === null) return <p>It was never used.</p>;
  return (
    <p>
      It was last used <Ago at={lastUsedAt} />.
    </p>
  );
}
