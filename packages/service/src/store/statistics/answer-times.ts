import { latencyStep, slotOf } from './statistics-words.ts';

/** How long answer times wait in memory. */
const WRITTEN_AFTER_MS = 1_000;

/** What one project’s callers waited in a half hour. */
export interface AnswerTimes {
  readonly projectId: string;
  readonly at: number;
  /** For the statistics: how many answers took each step. */
  readonly lines: string;
}

export interface AnswerTimesParts {
  readonly write: (times: readonly AnswerTimes[]) => Promise<void>;
  readonly onFault: (fault: unknown) => void;
}

/**
 * Counts how long callers waited for their answers. That is known only after the store has written the validation, so
 * the counts are written together, a moment later. A process that is killed loses those of its last second.
 */
export function countAnswerTimes({ write, onFault }: AnswerTimesParts) {
  let slot = 0;
  let timer: NodeJS.Timeout | undefined;
  const projects = new Map<string, Map<number, number>>();

  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (projects.size === 0) return;
    const times = [...projects].map(([projectId, steps]) => ({ projectId, at: slot, lines: linesOf(steps) }));
    projects.clear();
    await write(times).catch(onFault);
  };

  return {
    /** `at`: when the request came, milliseconds since 1970. */
    answered(projectId: string, at: number, ms: number): void {
      if (slotOf(at) !== slot) {
        void flush();
        slot = slotOf(at);
      }
      let steps = projects.get(projectId);
      if (steps === undefined) {
        steps = new Map();
        projects.set(projectId, steps);
      }
      const step = latencyStep(ms);
      steps.set(step, (steps.get(step) ?? 0) + 1);
      timer ??= setTimeout(flush, WRITTEN_AFTER_MS).unref();
    },
    flush,
  };
}

function linesOf(steps: ReadonlyMap<number, number>): string {
  return [...steps].map(([step, count]) => `${count} ms:${step}`).join('\n');
}
