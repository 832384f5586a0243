import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { api } from '../api/client.ts';
import { onServiceChange, serviceAnswers } from '../api/service-state.ts';
import { Notice } from '../components/notice.tsx';

const RETRY_MS = 2_000;

/** Says that the service does not answer, asks again until it does, and then reads the page’s numbers again. */
export function ServiceDown() {
  const answers = useSyncExternalStore(onServiceChange, serviceAnswers);
  const queryClient = useQueryClient();
  useEffect(() => {
    if (answers) return;
    const timer = setInterval(() => void api('GET /setup').catch(() => undefined), RETRY_MS);
    return () => {
      clearInterval(timer);
      void queryClient.invalidateQueries();
    };
  }, [answers, queryClient]);
  if (answers) return null;
  return (
    <div className="sticky top-14 z-10 mb-5 rounded-lg bg-surface lg:top-2">
      <Notice kind="bad">
        The service does not answer. Nothing on this page is lost. It continues automatically as soon as the
        service is back.
      </Notice>
    </div>
  );
}
