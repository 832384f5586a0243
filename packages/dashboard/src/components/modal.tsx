import { lazy, Suspense } from 'react';
import type { ModalProps } from './base-dialog.tsx';

const BaseDialog = lazy(async () => ({ default: (await import('./base-dialog.tsx')).BaseDialog }));

/** A modal dialog. Render it to open it. Its code is loaded when the first one opens. */
export function Modal(props: ModalProps) {
  return (
    <Suspense>
      <BaseDialog {...props} />
    </Suspense>
  );
}
