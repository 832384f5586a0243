import { useState } from 'react';
import { postAuth } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { useSession } from '../../api/use-session.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { MIN_PASSWORD_LENGTH } from '../../components/new-account-form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { ROLE_NAMES } from '../../components/role-names.ts';
import { TextField } from '../../components/text-field.tsx';
import { AccessTokens } from './access-tokens.tsx';
import { AlsoRevoke, REVOKE_NOTHING } from './also-revoke.tsx';
import { Passkeys } from './passkeys.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

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
      <Passkeys />
      <SecondFactor />
      <Sessions />
      <AccessTokens />
    </Page>
  );
}

function Password() {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [revoked, setRevoked] = useState(REVOKE_NOTHING);
  const change = useChange({
    send: () =>
      postAuth('/change-password', {
        currentPassword: current,
        newPassword: next,
        revokeOtherSessions: true,
        ...revoked,
      }),
    invalidates: [['session'], ['tokens'], ['passkeys']],
    inline: true,
    successText: 'The password is changed. Other sessions are signed out.',
    onDone: () => {
      setRevoked(REVOKE_NOTHING);
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
        <AlsoRevoke value={revoked} onChange={setRevoked} />
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
