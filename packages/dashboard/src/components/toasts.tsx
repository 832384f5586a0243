import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly bad: boolean;
}

const SHOWN_MS = 5_000;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** A short word at the edge of the page, read out by screen readers. */
export function showToast(text: string, bad = false): void {
  lastId += 1;
  change([...toasts.slice(-2), { id: lastId, text, bad }]);
}

const dismiss = (id: number) => change(toasts.filter((toast) => toast.id !== id));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed right-4 bottom-4 left-4 z-50 grid justify-items-end gap-2"
    >
      {shown.map((toast) => (
        <ToastView key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastView({ toast }: { toast: Toast }) {
  useEffect(() => {
    const timer = setTimeout(() => dismiss(toast.id), toast.bad ? SHOWN_MS * 2 : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  const Icon = toast.bad ? TriangleAlert : CircleCheck;
  return (
    <div className="pointer-events-auto flex max-w-sm items-start gap-2.5 rounded-lg border border-line bg-surface py-2.5 pr-2 pl-3 text-[0.9rem] shadow-pop">
      <Icon
        size={17}
        aria-hidden="true"
        className={`mt-0.5 shrink-0 ${toast.bad ? 'text-block' : 'text-allow'}`}
      />
      <span className="min-w-0 wrap-anywhere">{toast.text}</span>
      <button
        type="button"
        aria-label="Dismiss"
        className="shrink-0 rounded p-0.5 text-faint hover:text-ink"
        onClick={() => dismiss(toast.id)}
      >
        <X size={15} aria-hidden="true" />
      </button>
    </div>
  );
}
