import { Toast } from '@base-ui/react/toast';
import { CircleCheck, TriangleAlert, X } from '../icons.ts';

const SHOWN_MS = 5_000;
const UNDO_MS = 10_000;
const manager = Toast.createToastManager();

/** A short message at the edge of the page, also read out by screen readers. */
export function showToast(text: string, bad = false): void {
  manager.add({
    description: text,
    type: bad ? 'bad' : 'good',
    priority: bad ? 'high' : 'low',
    timeout: bad ? 2 * SHOWN_MS : SHOWN_MS,
  });
}

/** A message with an Undo button, for ten seconds. */
export function showUndo(text: string, undo: () => void): void {
  const id: string = manager.add({
    description: text,
    type: 'good',
    timeout: UNDO_MS,
    actionProps: {
      children: 'Undo',
      onClick: () => {
        manager.close(id);
        undo();
      },
    },
  });
}

export function Toasts() {
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className="pointer-events-none fixed right-4 bottom-4 left-4 z-50 grid justify-items-end gap-2">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => {
    const bad = toast.type === 'bad';
    const Icon = bad ? TriangleAlert : CircleCheck;
    return (
      <Toast.Root
        key={toast.id}
        toast={toast}
        aria-label={bad ? 'Error' : 'Message'}
        swipeDirection={['right', 'down']}
        className="pointer-events-auto flex max-w-sm items-start gap-2.5 rounded-lg border border-line bg-surface py-2.5 pr-2 pl-3 text-[0.9rem] shadow-pop data-limited:hidden"
      >
        <Icon size={17} className={`mt-0.5 shrink-0 ${bad ? 'text-block' : 'text-allow'}`} />
        <Toast.Description className="min-w-0 flex-1 wrap-anywhere" />
        {toast.actionProps !== undefined && (
          <Toast.Action className="shrink-0 rounded px-1.5 font-medium text-accent hover:bg-hover" />
        )}
        <Toast.Close aria-label="Dismiss" className="shrink-0 rounded p-0.5 text-faint hover:text-ink">
          <X size={15} />
        </Toast.Close>
      </Toast.Root>
    );
  });
}
