import { lazy, Suspense } from 'react';
import type { ValidationDrawerProps } from './validation-drawer.tsx';

const load = () => import('./validation-drawer.tsx');
const Drawer = lazy(async () => ({ default: (await load()).ValidationDrawer }));

/** The explanation of one validation. It is loaded after the log, because people look at the log first. */
export function LazyDrawer(props: ValidationDrawerProps) {
  return (
    <Suspense>
      <Drawer {...props} />
    </Suspense>
  );
}

export function preloadDrawer(): void {
  void load().catch(() => undefined);
}
