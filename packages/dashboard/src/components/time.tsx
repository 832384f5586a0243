import { useSyncExternalStore } from 'react';
import { absoluteTime, exactTime, relativeTime } from './format.ts';

const TICK_MS = 1_000;
/** No text on a page is more exact than five seconds, so more frequent renders would be wasted. */
const STEP_MS = 5_000;

const step = () => Math.ceil(Date.now() / STEP_MS) * STEP_MS;
let now = step();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  // The time was not kept while no text showed it.
  if (listeners.size === 0) now = step();
  listeners.add(listener);
  timer ??= setInterval(() => {
    const next = step();
    if (next === now) return;
    now = next;
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time, for texts that must advance. One clock serves the whole page. */
function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** “3 hours ago”, which advances by itself, with the exact time on hover and for machines. */
export function Ago({ at, narrow = false }: { at: number; narrow?: boolean }) {
  const now = useNow();
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at)} className="num whitespace-nowrap">
      {relativeTime(at, now, narrow)}
    </time>
  );
}

export function Moment({ at }: { at: number }) {
  const now = useNow();
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={`${exactTime(at)}, ${relativeTime(at, now)}`}
      className="num whitespace-nowrap"
    >
      {absoluteTime(at)}
    </time>
  );
}
