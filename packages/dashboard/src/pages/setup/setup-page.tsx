import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { linkToken } from '../../api/link-token.ts';
import { setupQuery } from '../../api/queries.ts';
import { buttonClass } from '../../components/button.tsx';
import { NewAccountForm } from '../../components/new-account-form.tsx';
import { Loaded, Skeleton } from '../../components/pending.tsx';
import { GatePage } from '../../shell/gate-page.tsx';

/** Creates the first account, with the link that the service printed when it started. */
export function SetupPage() {
  const [token] = useState(() => linkToken(window.location.hash));
  const state = useQuery(setupQuery);
  return (
    <Loaded
      query={state}
      pending={
        <GatePage title="Set up Postern">
          <Skeleton className="h-64" />
        </GatePage>
      }
    >
      {({ needed }) => (needed ? <FirstAccount token={token} /> : <AlreadyDone />)}
    </Loaded>
  );
}

function FirstAccount({ token }: { token: string }) {
  if (token === '') {
    return (
      <GatePage title="Open the set-up link">
        <p className="text-soft">
          The service printed a link with a one-time token when it started. Open that link: it proves that you
          run the service. Restart the service to see it again.
        </p>
      </GatePage>
    );
  }
  return (
    <GatePage title="Set up Postern" lead="Create the first account. It owns the workspace.">
      <NewAccountForm
        action="Create the account"
        send={(account) => api('POST /setup', {}, { body: { token, ...account } })}
      />
    </GatePage>
  );
}

function AlreadyDone() {
  return (
    <GatePage
      title="Set-up is done"
      lead="The first account already exists. Other members join by invitation."
    >
      <Link to="/sign-in" className={buttonClass('primary')}>
        Go to sign-in
      </Link>
    </GatePage>
  );
}
