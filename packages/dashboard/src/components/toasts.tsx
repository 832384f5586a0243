import { lazy, Suspense, useSyncExternalStore } from 'react';

const load = () => import('./base-toasts.tsx');
const BaseToasts = lazy(async () => ({ default: (await load()).BaseToasts }));

let used = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Loads the toasts when the first one is shown. */
async function start() {
  used = true;
  for (const listener of listeners) listener();
  const toasts = await load();
  await toasts.mounted;
  return toasts;
}

/** A short message at the edge of the page, also read out by screen readers. */
export function showToast(text: string, bad = false): void {
  void start().then(({ addToast }) => addToast(text, bad));
}

/** A message with an Undo button, for ten seconds. */
export function showUndo(text: string, undo: () => void): void {
  void start().then(({ addUndo }) => addUndo(text, undo));
}

/** Preloads the toasts while the service is reachable, because they are also needed when it is not. */
export function preloadToasts(): void {
  setTimeout(() => void load().catch(() => undefined), 5_000);
}

export function Toasts() {
  const wanted = useSyncExternalStore(subscribe, () => used);
  return (
    wanted && (
      <Suspense>
        <BaseToasts />
      </Suspense>
    )
  );
}
