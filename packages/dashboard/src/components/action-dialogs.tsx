import type { ErasePersonProps } from './erase-person.tsx';
import { type LazyPart, lazyPart } from './lazy-part.tsx';
import type { ListDialogProps } from './list-dialog.tsx';
import type { MarkWrongDialogProps } from './mark-wrong-dialog.tsx';
import { showMissingPart } from './toasts.tsx';

/** The dialogs of actions are loaded when they are first opened, because pages are read more often than acted on. */
const Listing = lazyPart(async () => (await import('./list-dialog.tsx')).ListDialog);
const Erasing = lazyPart(async () => (await import('./erase-person.tsx')).ErasePerson);
const Marking = lazyPart(async () => (await import('./mark-wrong-dialog.tsx')).MarkWrongDialog);

function closing<Props extends { onClose: () => void }>(Part: LazyPart<Props>) {
  return (props: Props) => {
    const onMissing = () => {
      showMissingPart();
      props.onClose();
    };
    return <Part {...props} onMissing={onMissing} />;
  };
}

export const ListDialog = closing<ListDialogProps>(Listing);
export const ErasePerson = closing<ErasePersonProps>(Erasing);
export const MarkWrongDialog = closing<MarkWrongDialogProps>(Marking);
