import type { ComponentType } from 'react';
import { lazyPart } from './lazy-part.tsx';
import { showMissingPart } from './toasts.tsx';

/** A dialog whose file is loaded when it first opens. If that fails, it closes and a notice says so. */
export function lazyDialog<Props extends { onClose?: (() => void) | undefined }>(
  load: () => Promise<ComponentType<Props>>,
) {
  const Part = lazyPart(load);
  function Dialog(props: Props) {
    const close = () => {
      showMissingPart();
      props.onClose?.();
    };
    return <Part {...props} onMissing={close} />;
  }
  Dialog.preload = Part.preload;
  return Dialog;
}
