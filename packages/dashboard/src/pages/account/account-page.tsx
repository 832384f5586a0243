import type { AccessToken, NewAccessToken, SessionView, TokenScope } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, postAuth } from '../../api/client.ts';
import { leave } from '../../api/leave.ts';
import { projectsQuery, sessionsQuery, tokensQuery } from '../../api/queries.ts';
import { useChange } from '../../api/use-change.ts';
import { useSession } from '../../api/use-session.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CheckBox } from '../../components/check-box.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Form } from '../../components/form.tsx';
import { MIN_PASSWORD_LENGTH } from '../../components/new-account-form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { Pick } from '../../components/pick.tsx';
import { ROLE_NAMES } from '../../components/role-names.ts';
import { ShownOnce } from '../../components/shown-once.tsx';
import { ActionsHead, AgoCell, Cell, Table } from '../../components/table.tsx';
import { TextField } from '../../components/text-field.tsx';
import { deviceName } from './device-name.ts';
import { SecondFactor } from './second-factor.tsx';

export function AccountPage() {
  const { user } = useSession();
  return (
    <Page
      title="Your account"
      lead={
        <>
          {user.name} · {user.email} · <Badge>{ROLE_NAMES[user.role]}</Badge>
        </>
      }
    >
      <Password />
      <SecondFactor />
      <Sessions />
      <AccessTokens />
    </Page>
  );
}

function Password() {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [revokeTokens, setRevokeTokens] = useState(false);
  const change = useChange({
    send: () =>
      postAuth('/change-password', {
        currentPassword: current,
        newPassword: next,
        revokeOtherSessions: true,
        revokeTokens,
      }),
    inline: true,
    successText: 'The password is changed. Other sessions are signed out.',
    onDone: () => {
      setRevokeTokens(false);
      setCurrent('');
      setNext('');
    },
  });
  return (
    <Section title="Password" lead="Changing it signs out every other session.">
      <Form className="grid gap-4" onSubmit={() => change.mutate()}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Current password"
            type="password"
            autoComplete="current-password"
            required
            value={current}
            onChange={setCurrent}
          />
          <TextField
            label="New password"
            hint={`At least ${MIN_PASSWORD_LENGTH} characters.`}
            type="password"
            autoComplete="new-password"
            required
            minLength={MIN_PASSWORD_LENGTH}
            value={next}
            onChange={setNext}
          />
        </div>
        <AlsoRevokeTokens checked={revokeTokens} onChange={setRevokeTokens} />
        {change.error !== null && <Notice kind="bad">{change.error.message}</Notice>}
        <div className="flex justify-end">
          <Button type="submit" busy={change.isPending}>
            Change the password
          </Button>
        </div>
      </Form>
    </Section>
  );
}

/** Where the person is signed in. */
function Sessions() {
  const sessions = useQuery(sessionsQuery);
  return (
    <Section
      title="Sessions"
      lead="Where you are signed in. End what you do not know, then change your password."
      flush
    >
      <Loaded query={sessions} pending={<SkeletonRows rows={2} className="px-5 pb-5" />}>
        {(all) => (
          <>
            <Table
              label="Sessions"
              flows
              head={['Device', 'Last active', 'Signed in', <ActionsHead key="actions" />]}
            >
              {all.map((session) => (
                <SessionLine key={session.id} session={session} />
              ))}
            </Table>
            <EndMany others={all.length - 1} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function SessionLine({ session }: { session: SessionView }) {
  const device = deviceName(session.userAgent);
  const end = useChange({
    send: () => api('DELETE /sessions/:id', { id: session.id }),
    successText: 'The session is ended.',
  });
  return (
    <tr>
      <Cell>
        <span className="font-medium" title={session.userAgent}>
          {device}
        </span>{' '}
        {session.current && <Badge tone="accent">this one</Badge>}
      </Cell>
      <AgoCell name="active" at={session.lastActiveAt} />
      <AgoCell name="signed in" at={session.createdAt} />
      <Cell className="text-right">
        {!session.current && (
          <Button
            small
            variant="danger"
            aria-label={`Sign out ${device}`}
            busy={end.isPending}
            onClick={() => end.mutate()}
          >
            Sign out
          </Button>
        )}
      </Cell>
    </tr>
  );
}

function EndMany({ others }: { others: number }) {
  const [revokeTokens, setRevokeTokens] = useState(false);
  const endOthers = useChange({
    send: () => postAuth('/revoke-other-sessions'),
    successText: 'All other sessions are ended.',
  });
  const endAll = useChange({
    send: () => postAuth('/revoke-sessions', { revokeTokens }),
    onDone: leave,
  });
  return (
    <div className="grid justify-items-start gap-4 border-t border-line px-4 py-4 sm:px-5">
      <AlsoRevokeTokens checked={revokeTokens} onChange={setRevokeTokens} />
      <div className="flex flex-wrap gap-2">
        {others > 0 && (
          <Button busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            Sign out all others
          </Button>
        )}
        <Button variant="danger" busy={endAll.isPending} onClick={() => endAll.mutate()}>
          Sign out everywhere
        </Button>
      </div>
    </div>
  );
}

interface AlsoRevokeTokensProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Access tokens keep working after a new password unless they are removed. Hidden if there are none. */
function AlsoRevokeTokens({ checked, onChange }: AlsoRevokeTokensProps) {
  const { data: tokens = [] } = useQuery(tokensQuery);
  if (tokens.length === 0) return null;
  return (
    <CheckBox checked={checked} onChange={onChange}>
      Also remove my access tokens ({tokens.map(({ name }) => name).join(', ')}). Otherwise, scripts that use
      them keep working.
    </CheckBox>
  );
}

const SCOPE_NAMES: Record<TokenScope, string> = { full: 'Full access', read: 'Read only' };

/** Tokens with which scripts can do what the dashboard does. */
function AccessTokens() {
  const tokens = useQuery(tokensQuery);
  const [fresh, setFresh] = useState<NewAccessToken | undefined>();
  return (
    <Section
      title="Personal access tokens"
      lead="Give scripts access to the dashboard’s API. With full access a token may do what your role allows."
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
              head={['Name', 'Access', 'Last used', 'Expires', <ActionsHead key="actions" />]}
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
          warning="Copy it now; it cannot be shown again."
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

const LIFETIMES = [
  ['30', 'For 30 days'],
  ['90', 'For 90 days'],
  ['365', 'For a year'],
] as const;

function NewToken({ onMade }: { onMade: (token: NewAccessToken) => void }) {
  const [name, setName] = useState('');
  const [days, setDays] = useState('90');
  const [scope, setScope] = useState<TokenScope>('full');
  const [onlyProject, setOnlyProject] = useState('');
  const { data: projects = [] } = useQuery(projectsQuery);
  const wanted = { name: name.trim(), scope, onlyProject: onlyProject || null };
  const create = useChange({
    send: () => api('POST /tokens', {}, { body: { ...wanted, expiresInDays: Number(days) || null } }),
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
            <Pick
              label="Access"
              className="!w-auto"
              value={scope}
              onChange={(picked) => setScope(picked as TokenScope)}
            >
              {Object.entries(SCOPE_NAMES)}
            </Pick>
            <Pick
              label="Project"
              any="In all projects"
              className="!w-auto max-w-52"
              value={onlyProject}
              onChange={setOnlyProject}
            >
              {projects.map((project) => [project.id, `Only in ${project.name}`] as const)}
            </Pick>
            <Pick label="Expires" any="Never expires" className="!w-auto" value={days} onChange={setDays}>
              {LIFETIMES}
            </Pick>
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
  const { data: projects = [] } = useQuery(projectsQuery);
  const only = token.onlyProject;
  const remove = useChange({
    send: () => api('DELETE /tokens/:id', { id: token.id }),
    successText: 'The token is removed.',
  });
  return (
    <tr>
      <Cell className="font-medium wrap-anywhere">{token.name}</Cell>
      <Cell className="text-soft wrap-anywhere">
        {SCOPE_NAMES[token.scope]}
        {only !== null && `, only in ${projects.find(({ id }) => id === only)?.name ?? only}`}
      </Cell>
      <AgoCell name="used" at={token.lastUsedAt} />
      <AgoCell name="expires" at={token.expiresAt} />
      <Cell className="text-right">
        <Button small variant="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          Remove
        </Button>
      </Cell>
    </tr>
  );
}
