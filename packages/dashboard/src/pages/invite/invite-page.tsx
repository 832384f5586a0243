import type { AcceptInvite } from '@postern/contract/dashboard';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { linkToken } from '../../api/link-token.ts';
import { sessionQuery } from '../../api/queries.ts';
import { type NewAccount, NewAccountForm } from '../../components/new-account-form.tsx';
import { GatePage } from '../../shell/gate-page.tsx';

export function InvitePage() {
  const [token] = useState(() => linkToken(window.location.hash));
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const accept = useMutation({
    meta: { quiet: true },
    mutationFn: (account: NewAccount) =>
      api.post('/invites/accept', { token, ...account } satisfies AcceptInvite),
    onSuccess: async () => {
      queryClient.removeQueries({ queryKey: sessionQuery.queryKey });
      await navigate({ to: '/', replace: true });
    },
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
  return (
    <GatePage title="Join the workspace" lead="You were invited to this Postern. Make your account.">
      <NewAccountForm
        action="Join"
        busy={accept.isPending}
        error={accept.error}
        onSubmit={(account) => accept.mutate(account)}
      />
    </GatePage>
  );
}
