import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { linkToken } from '../../api/link-token.ts';
import { sessionQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { GatePage } from '../../shell/gate-page.tsx';

/** Opened with the link that `postern user sign-in-link` printed. The button keeps programs that follow links out. */
export function EnterPage() {
  const [token] = useState(() => linkToken(window.location.hash));
  const router = useRouter();
  const queryClient = useQueryClient();
  const enter = useMutation({
    meta: { quiet: true },
    mutationFn: () => api('POST /sign-in-link', {}, { body: { token } }),
    onSuccess: () => {
      queryClient.removeQueries({ queryKey: sessionQuery.queryKey });
      router.history.push('/dashboard/');
    },
  });
  return (
    <GatePage title="Sign in with a link" lead="It works once, for the account that it was made for.">
      <div className="grid gap-4">
        {enter.error !== null && <Notice kind="bad">{enter.error.message}</Notice>}
        <Button variant="primary" busy={enter.isPending} onClick={() => enter.mutate()}>
          Sign in
        </Button>
      </div>
    </GatePage>
  );
}
