import { useBlocker, useRouter } from '@tanstack/react-router';
import { showToast } from '../components/toasts.tsx';
import type { LazyPage } from './lazy-page.tsx';

/** Stays on the current page, and keeps unsaved input, if the file of the next page cannot be loaded. */
export function useKeepPage(): void {
  const router = useRouter();
  useBlocker({
    enableBeforeUnload: false,
    shouldBlockFn: async ({ next }) => {
      const route: unknown = Reflect.get(router.routesById, next.routeId);
      const component = (route as { options?: { component?: Partial<LazyPage> } } | undefined)?.options
        ?.component;
      try {
        await component?.preload?.();
        return false;
      } catch {
        showToast(
          'That page could not be loaded: the service does not answer, or it was updated. Nothing is lost. Try again, or save your work and reload.',
          true,
        );
        return true;
      }
    },
  });
}
