import type { SqlValue } from './database.ts';
import type { SweepLimits } from './store.ts';
import type { Cutoffs } from './sweep-cutoffs.ts';

/** What a step of the sweep is to delete. */
export interface Due {
  readonly project: string;
  readonly now: number;
  readonly cutoffs: Cutoffs;
  readonly limits: SweepLimits;
  /** What the question whether there is anything to do was answered with. */
  readonly found: SqlValue;
}

export interface Swept {
  /** How many rows were deleted. Looking at one that stays counts too. */
  readonly removed: number;
  /** Whether there may be more to delete. */
  readonly more: boolean;
}
