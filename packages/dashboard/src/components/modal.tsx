import { lazyDialog } from './lazy-dialog.tsx';

/** A modal dialog. Render it to open it. Its code is loaded when the first one opens. */
export const Modal = lazyDialog(async () => (await import('./base-dialog.tsx')).BaseDialog);
