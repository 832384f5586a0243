import type { ModalProps } from './base-dialog.tsx';
import { lazyPart } from './lazy-part.tsx';
import { showMissingPart } from './toasts.tsx';

const BaseDialog = lazyPart(async () => (await import('./base-dialog.tsx')).BaseDialog);

/** A modal dialog. Render it to open it. Its code is loaded when the first one opens. */
export function Modal(props: ModalProps) {
  const close = () => {
    showMissingPart();
    props.onClose?.();
  };
  return <BaseDialog {...props} onMissing={close} />;
}

export const preloadModal = BaseDialog.preload;
