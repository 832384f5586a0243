import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { linkToken } from '../../api/link-token.ts';
import { NewAccountForm } from '../../components/new-account-form.tsx';
import { GatePage } from '../../shell/gate-page.tsx';

export function InvitePage() {
  const [token] = useState(() => linkToken(window.location.hash));
  const state = useQuery({
    queryKey: ['invite', token],
    enabled: token !== '',
    queryFn: () => api('POST /invites/check', {}, { body: { token } }),
  });
  if (token === '') {
    return (
      <GatePage title="This invitation is incomplete">
        <p className="text-soft">
          The part after the # is missing. Copy the whole link that you were sent, or ask for a new one.
        </p>
      </GatePage>
    );
  }
  if (state.data?.open === false) {
    return (
      <GatePage title="This invitation no longer works">
        <p className="text-soft">
          It was used already, withdrawn, or is too old. Ask for a new one, or{' '}
          <Link to="/sign-in" className="link">
            sign in
          </Link>{' '}
          if you have an account.
        </p>
      </GatePage>
    );
  }
  return (
    <GatePage title="Join the workspace" lead="Someone invited you. Create your account.">
      <NewAccountForm
        action="Join"
        send={(account) => api('POST /invites/accept', {}, { body: { token, ...account } })}
      />
    </GatePage>
  );
}
