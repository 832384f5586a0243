import { COMPANY_PROBLEMS } from '@postern/contract/dashboard';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { sessionQuery, setupQuery } from '../../api/queries.ts';
import { CompanyButton } from '../../components/company-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { PasswordForm } from '../../components/password-form.tsx';
import { SecondFactorForm } from '../../components/second-factor-form.tsx';
import { GatePage } from '../../shell/gate-page.tsx';

export function SignInPage() {
  const { next, problem } = useSearch({ from: '/sign-in' });
  const [secondFactor, setSecondFactor] = useState(false);
  const { data: setup } = useQuery(setupQuery);
  const router = useRouter();
  const queryClient = useQueryClient();
  const enter = () => {
    queryClient.removeQueries({ queryKey: sessionQuery.queryKey });
    router.history.push(`/dashboard${next ?? '/'}`);
  };

  if (secondFactor) {
    return (
      <GatePage title="Second factor" lead="Enter the six digits that your authenticator app shows.">
        <SecondFactorForm onDone={enter} />
      </GatePage>
    );
  }
  return (
    <GatePage title="Sign in">
      <div className="grid gap-4">
        {setup?.needed === true && (
          <Notice kind="note">
            There is no account yet. Open the set-up link that the service printed when it started.
          </Notice>
        )}
        {problem !== undefined && <Notice kind="bad">{COMPANY_PROBLEMS[problem]}</Notice>}
        {setup?.company != null && <CompanyButton name={setup.company.name} />}
        {setup?.passwords !== false && (
          <PasswordForm onDone={enter} onSecondFactor={() => setSecondFactor(true)} />
        )}
      </div>
    </GatePage>
  );
}
