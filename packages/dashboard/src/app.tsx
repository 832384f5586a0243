import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { ApiFailure, failureText } from './api/client.ts';
import { reportSessionEnded } from './api/session-ended.ts';
import { showToast, Toasts } from './components/toasts.tsx';
import { routeTree } from './routes.tsx';

/** A 401 from anything but the session query means that the session has ended. */
function onFailure(error: unknown, byChange: boolean): void {
  if (error instanceof ApiFailure && error.sessionEnded) reportSessionEnded(byChange);
}

const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => onFailure(error, false) }),
  mutationCache: new MutationCache({
    onError: (error, _input, _context, mutation) => {
      onFailure(error, true);
      const shown = error instanceof ApiFailure && error.sessionEnded;
      if (mutation.meta?.quiet !== true && !shown) showToast(failureText(error), true);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // Retry only if the service did not answer or failed. A refused request would be refused again.
      retry: (tries, error) =>
        tries < 2 && (!(error instanceof ApiFailure) || error.status === 0 || error.status >= 500),
    },
  },
});

const router = createRouter({
  routeTree,
  basepath: '/dashboard',
  context: { queryClient },
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** The drawer was opened with a click, so that Back closes it. */
    openedHere?: boolean;
  }
}

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>
  );
}
