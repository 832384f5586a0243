import { lazyDialog } from '../../components/lazy-dialog.tsx';

/** The explanation of one validation. It is loaded after the log, because people look at the log first. */
export const LazyDrawer = lazyDialog(async () => (await import('./validation-drawer.tsx')).ValidationDrawer);
