import type { Recommendation } from '@postern/contract';
import type { OutcomeEffect } from '@postern/contract/dashboard';
import type { PersonOutcome } from '../store/tables/outcome-table.ts';

export const STRENGTH = { allow: 0, flag: 1, block: 2 } as const;

export const noEffect = (): OutcomeEffect => ({
  bad: 0,
  badBlocked: 0,
  badFlagged: 0,
  good: 0,
  goodBlocked: 0,
  goodFlagged: 0,
});

export function addToEffect(effect: OutcomeEffect, judgement: 'good' | 'bad', answer: Recommendation): void {
  effect[judgement] += 1;
  if (answer === 'block') effect[`${judgement}Blocked`] += 1;
  if (answer === 'flag') effect[`${judgement}Flagged`] += 1;
}

/** Counts people by the mildest answer they got, because that is the one that let them in. */
export function createEffectTally() {
  const mildest = new Map<string, Recommendation>();
  return {
    inboxes: (): string[] => [...mildest.keys()],
    add(inbox: string, answer: Recommendation): void {
      const before = mildest.get(inbox);
      if (before === undefined || STRENGTH[answer] < STRENGTH[before]) mildest.set(inbox, answer);
    },
    effect(outcomes: ReadonlyMap<string, PersonOutcome>): OutcomeEffect {
      const effect = noEffect();
      for (const [inbox, answer] of mildest) {
        const judgement = outcomes.get(inbox)?.judgement ?? null;
        if (judgement !== null) addToEffect(effect, judgement, answer);
      }
      return effect;
    },
  };
}
