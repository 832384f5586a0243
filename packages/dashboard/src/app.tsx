import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { ApiFailure, failureText } from './api/client.ts';
import { leaveForNow } from './api/leave.ts';
import { preloadToasts, showToast, Toasts } from './components/toasts.tsx';
import { routeTree } from './routes.tsx';

/** The session query itself turns a 401 into “nobody”; from any other it means that the session has ended. */
function onFailure(error: unknown): void {
  if (error instanceof ApiFailure && error.sessionEnded) leaveForNow();
}

const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: onFailure }),
  mutationCache: new MutationCache({
    onError: (error, _input, _context, mutation) => {
      onFailure(error);
      if (mutation.meta?.quiet !== true) showToast(failureText(error), true);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // What the service refuses it refuses again; only silence and faults are worth another try.
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
}

preloadToasts();

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>
  );
}
