import { useSyncExternalStore } from 'react';
import { lazyPart } from './lazy-part.tsx';
import { loadOnce } from './load-once.ts';

const load = loadOnce(() => import('./base-toasts.tsx'));
const BaseToasts = lazyPart(async () => (await load()).BaseToasts);

let used = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

type ToastsFile = Awaited<ReturnType<typeof load>>;

/** Loads the toasts when the first one is shown. Without their file, nothing can be shown. */
async function withToasts(show: (toasts: ToastsFile) => void): Promise<void> {
  const toasts = await load().catch(() => undefined);
  if (toasts === undefined) return;
  used = true;
  for (const listener of listeners) listener();
  await toasts.mounted;
  show(toasts);
}

/** A short message at the edge of the page, also read out by screen readers. */
export function showToast(text: string, bad = false): void {
  void withToasts(({ addToast }) => addToast(text, bad));
}

/** A message with an Undo button, for ten seconds. */
export function showUndo(text: string, undo: () => void): void {
  void withToasts(({ addUndo }) => addUndo(text, undo));
}

/** A dialog or a menu whose file cannot be loaded. */
export function showMissingPart(): void {
  showToast(
    'This could not be loaded: the service does not answer, or it was updated. Nothing is lost. Try again, or save your work and reload.',
    true,
  );
}

/** Preloads the toasts while the service is reachable, because they are also needed when it is not. */
export function preloadToasts(): void {
  setTimeout(BaseToasts.preload, 5_000);
}

export function Toasts() {
  const wanted = useSyncExternalStore(subscribe, () => used);
  return wanted && <BaseToasts onMissing={() => undefined} />;
}
