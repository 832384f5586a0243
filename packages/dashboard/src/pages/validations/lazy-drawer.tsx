import { lazyPart } from '../../components/lazy-part.tsx';
import { showMissingPart } from '../../components/toasts.tsx';
import type { ValidationDrawerProps } from './validation-drawer.tsx';

const Drawer = lazyPart(async () => (await import('./validation-drawer.tsx')).ValidationDrawer);

/** The explanation of one validation. It is loaded after the log, because people look at the log first. */
export function LazyDrawer(props: ValidationDrawerProps) {
  const close = () => {
    showMissingPart();
    props.onClose();
  };
  return <Drawer {...props} onMissing={close} />;
}

export const preloadDrawer = Drawer.preload;
