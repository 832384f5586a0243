import type { FailureKind, PosternError } from './postern-error.ts';

export type ReportProblem = (problem: PosternError) => void;

const LOG_EVERY_MS = 60_000;

const MEANING: Readonly<Partial<Record<FailureKind, string>>> = {
  misconfiguration: 'Postern is misconfigured and checks nobody',
  exhaustion: 'Postern’s limit is used up',
  outage: 'Postern could not be asked',
};

/** Reports unchecked addresses, because the person at the form does not notice them. */
export function createProblemReporter(
  onProblem: ReportProblem | undefined,
  now: () => number,
): ReportProblem {
  const loggedAtMs = new Map<FailureKind, number>();
  return (problem) => {
    const { kind, label, message } = problem;
    try {
      onProblem?.(problem);
    } catch (error) {
      // The site’s own handler failed. Sign-ups must continue.
      console.error(error);
    }
    if (onProblem !== undefined && kind !== 'misconfiguration') return;
    if (now() - (loggedAtMs.get(kind) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return;
    loggedAtMs.set(kind, now());
    const text = `${MEANING[kind] ?? 'Postern refused a request'}: ${label}, ${message}`;
    if (kind === 'misconfiguration') console.error(text);
    else console.warn(text);
  };
}
