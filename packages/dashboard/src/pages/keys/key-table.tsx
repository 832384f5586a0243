import type { KeyView, NewKeyView } from '@postern/contract/dashboard';
import { KeyRound, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { plural } from '../../components/format.ts';
import { ActionsHead, Cell, Table } from '../../components/table.tsx';
import { Ago } from '../../components/time.tsx';

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
        title="No key yet"
        action={
          onNew !== undefined && (
            <Button look="primary" onClick={onNew}>
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
  const rank = { live: 0, expired: 1, revoked: 2 };
  const sorted = [...keys].sort((a, b) => rank[a.status] - rank[b.status] || b.createdAt - a.createdAt);
  return (
    <>
      <Table
        label="API keys"
        head={['Key', 'Type', 'Last used', 'Age', 'Expires', <ActionsHead key="actions" />]}
      >
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

interface KeyRowProps {
  view: KeyView;
  mayChange: boolean;
  ask: (what: Question['what']) => void;
}

function KeyRow({ view, mayChange, ask }: KeyRowProps) {
  const live = view.status === 'live';
  return (
    <tr className={live ? undefined : 'text-faint'}>
      <Cell className="min-w-40">
        <div className="font-medium">{view.name === '' ? 'Unnamed' : view.name}</div>
        <div className="font-mono text-[0.8rem] text-faint">{view.hint}</div>
      </Cell>
      <Cell>
        <span className="flex gap-1.5">
          <Badge tone={view.type === 'server' ? 'accent' : 'neutral'}>{view.type}</Badge>
          {view.mode === 'test' && <Badge>test</Badge>}
          {!live && <Badge tone="block">{view.status}</Badge>}
        </span>
      </Cell>
      <Cell className="text-soft">{view.lastUsedAt === null ? 'never' : <Ago at={view.lastUsedAt} />}</Cell>
      <Cell className="num whitespace-nowrap text-soft">
        <span className="flex items-center gap-2">
          {plural(view.ageDays, 'day')}
          {live && view.rotationDue && (
            <Badge tone="flag">
              <RefreshCw size={12} aria-hidden="true" /> rotate
            </Badge>
          )}
        </span>
      </Cell>
      <Cell className="text-soft">{view.expiresAt === null ? 'never' : <Ago at={view.expiresAt} />}</Cell>
      <Cell className="text-right">
        {mayChange && live && (
          <span className="flex justify-end gap-1.5">
            <Button small onClick={() => ask('regenerate')}>
              Regenerate
            </Button>
            <Button small look="danger" onClick={() => ask('revoke')}>
              Revoke
            </Button>
          </span>
        )}
      </Cell>
    </tr>
  );
}

interface KeyQuestionProps {
  question: Question;
  onClose: () => void;
  onFresh: (key: NewKeyView) => void;
}

function KeyQuestion({ question: { what, key }, onClose, onFresh }: KeyQuestionProps) {
  const change = useChange({
    send: () => api.post<NewKeyView>(`/keys/${encodeURIComponent(key.id)}/${what}`),
    outdates: [['keys', key.projectId]],
    says: what === 'regenerate' ? 'The old key is dead; the new one is shown once.' : 'The key is revoked.',
    onDone: (answer) => {
      onClose();
      if (what === 'regenerate') onFresh(answer);
    },
  });
  const name = key.name === '' ? key.hint : key.name;
  return (
    <Confirm
      title={what === 'regenerate' ? `Regenerate “${name}”?` : `Revoke “${name}”?`}
      action={what === 'regenerate' ? 'Regenerate the key' : 'Revoke the key'}
      busy={change.isPending}
      error={change.error?.message}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    >
      <p>
        {what === 'regenerate'
          ? 'You get a new secret, and the old one is refused from the next request on. Whatever still uses it gets 401 until it has the new one.'
          : 'The key is refused from the next request on, for good. Whatever still uses it gets 401.'}
      </p>
      <p>
        {key.lastUsedAt === null ? (
          'It was never used.'
        ) : (
          <>
            It was last used <Ago at={key.lastUsedAt} />.
          </>
        )}
      </p>
    </Confirm>
  );
}
