import { absoluteTime, relativeTime } from './format.ts';

/** “3 hours ago”, with the exact moment on hover and for machines. */
export function Ago({ at, narrow = false }: { at: number; narrow?: boolean }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={absoluteTime(at)} className="whitespace-nowrap">
      {relativeTime(at, Date.now(), narrow)}
    </time>
  );
}

export function Moment({ at }: { at: number }) {
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={relativeTime(at, Date.now())}
      className="num whitespace-nowrap"
    >
      {absoluteTime(at)}
    </time>
  );
}
