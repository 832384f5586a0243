import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 100;

/** Calls `onExceed` once when a process uses more memory than allowed. Does nothing without /proc. */
export function watchMemory(
  pid: number | undefined,
  limitBytes: number,
  onExceed: (bytes: number) => void,
): { stop(): void } {
  const timer = setInterval(() => {
    const bytes = residentBytes(pid);
    if (bytes === undefined || bytes <= limitBytes) return;
    clearInterval(timer);
    onExceed(bytes);
  }, LOOK_EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
}

function residentBytes(pid: number | undefined): number | undefined {
  try {
    const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line === null ? undefined : Number(line[1]) * 1024;
  } catch {
    return undefined;
  }
}
