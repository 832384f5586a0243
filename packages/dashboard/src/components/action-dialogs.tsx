import { lazyDialog } from './lazy-dialog.tsx';

/** The dialogs of actions are loaded when they are first opened, because pages are read more often than acted on. */
export const ListDialog = lazyDialog(async () => (await import('./list-dialog.tsx')).ListDialog);
export const ListManyDialog = lazyDialog(async () => (await import('./list-many-dialog.tsx')).ListManyDialog);
export const ErasePerson = lazyDialog(async () => (await import('./erase-person.tsx')).ErasePerson);
export const TimeMachine = lazyDialog(
  async () => (await import('./time-machine/time-machine.tsx')).TimeMachine,
);
export const MarkWrongDialog = lazyDialog(
  async () => (await import('./mark-wrong-dialog.tsx')).MarkWrongDialog,
);
