import type { OutcomeEffect } from '@postern/contract/dashboard';
import { count, percent } from './format.ts';

interface EffectSide {
  /** `bad` or `good`. */
  readonly name: string;
  readonly total: number;
  readonly blocked: number;
  readonly flagged: number;
}

/** How many bad and how many good people a policy blocks and flags. */
export function effectSides(effect: OutcomeEffect): readonly [bad: EffectSide, good: EffectSide] {
  return [
    { name: 'bad', total: effect.bad, blocked: effect.badBlocked, flagged: effect.badFlagged },
    { name: 'good', total: effect.good, blocked: effect.goodBlocked, flagged: effect.goodFlagged },
  ];
}

/** “12 of 40 (30%) blocked, 5 flagged”. */
export function effectText({ name, total, blocked, flagged }: EffectSide): string {
  if (total === 0) return `nobody is known to be ${name}`;
  return `${count(blocked)} of ${count(total)} (${percent(blocked, total)}) blocked, ${count(flagged)} flagged`;
}
