import type { OpenReason } from '@postern/contract';
import { getOrMake } from '../../model/get-or-make.ts';
import { latencyStep, slotOf } from './statistics-words.ts';

/** How long counts wait in memory. */
const WRITTEN_AFTER_MS = 1_000;
const TRIED_AGAIN_AFTER_MS = 3_000;
const MOST_UNWRITTEN = 1_000;

/** What one project’s callers waited in a half hour, and which people its hooks let in without judging. */
export interface AnswerTimes {
  readonly projectId: string;
  readonly at: number;
  /** For the statistics: how many answers took each step, and how many calls of each hook were open and why. */
  readonly lines: string;
}

export interface AnswerTimesParts {
  readonly write: (times: readonly AnswerTimes[]) => Promise<void>;
  readonly onFault: (fault: unknown) => void;
}

/**
 * Counts how long callers waited for their answers. That is known only after the store has written the validation, so
 * the counts are written together, a moment later. A process that is killed loses those of its last second. What cannot be written is
 * tried again, as long as it is not much: a hook lets people in while the store is away.
 */
export function countAnswerTimes({ write, onFault }: AnswerTimesParts) {
  let slot = 0;
  let timer: NodeJS.Timeout | undefined;
  const projects = new Map<string, Map<string, number>>();
  let unwritten: readonly AnswerTimes[] = [];

  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (projects.size + unwritten.length === 0) return;
    const fresh = [...projects].map(([projectId, words]) => ({ projectId, at: slot, lines: linesOf(words) }));
    projects.clear();
    const times = [...unwritten, ...fresh].slice(0, MOST_UNWRITTEN);
    unwritten = [];
    await write(times).catch((fault) => {
      unwritten = times;
      timer ??= setTimeout(flush, TRIED_AGAIN_AFTER_MS).unref();
      onFault(fault);
    });
  };

  const count = (projectId: string, at: number, word: string): void => {
    if (slotOf(at) !== slot) {
      void flush();
      slot = slotOf(at);
    }
    const words = getOrMake(projects, projectId, () => new Map<string, number>());
    words.set(word, (words.get(word) ?? 0) + 1);
    timer ??= setTimeout(flush, WRITTEN_AFTER_MS).unref();
  };
  return {
    /** `at`: when the request came, milliseconds since 1970. */
    answered: (projectId: string, at: number, ms: number) => count(projectId, at, `ms:${latencyStep(ms)}`),
    opened: (projectId: string, at: number, hookId: string, reason: OpenReason) =>
      count(projectId, at, openWord(hookId, reason)),
    flush,
  };
}

/** What the statistics count when a hook lets a person in without judging. */
export const openWord = (hookId: string, reason: OpenReason): string => `open:${hookId}/${reason}`;

function linesOf(words: ReadonlyMap<string, number>): string {
  return [...words].map(([word, count]) => `${count} ${word}`).join('\n');
}
