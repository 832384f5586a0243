import type { Terminal } from './terminal.ts';

const WIDTH = 24;
const REDRAW_MS = 80;

export interface Progress {
  advance(): void;
  /** Removes the bar, so that only the result is left. */
  end(): void;
}

/** A progress bar on standard error for people. Nothing if it is not a terminal. */
export function createProgress(
  terminal: Terminal,
  label: string,
  total: number,
  now: () => number,
): Progress {
  if (!terminal.interactive || total === 0) return { advance: () => {}, end: () => {} };
  let done = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;
  const draw = () => {
    const filled = Math.round((done / total) * WIDTH);
    const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
    terminal.error(`\r${label} ${terminal.colors.cyan(bar)} ${done}/${total}`);
  };
  return {
    advance: () => {
      done += 1;
      if (now() - drawnAt < REDRAW_MS && done < total) return;
      drawnAt = now();
      draw();
    },
    end: () => terminal.error('\r\u001b[K'),
  };
}
