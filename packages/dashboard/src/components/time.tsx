import { absoluteTime, exactTime, relativeTime } from './format.ts';
import { useNow } from './use-now.ts';

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
