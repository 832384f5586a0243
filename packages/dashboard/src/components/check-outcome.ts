import type { CheckResult } from '@postern/contract';
import { CircleCheck, CircleHelp, CircleX } from 'lucide-react';

export type Outcome = 'passed' | 'failed' | 'unknown';

/** A check that could not tell passes, but a page must not show it as a check without findings. */
export function outcomeOf({ pass, metadata }: CheckResult): Outcome {
  if (!pass) return 'failed';
  return metadata?.status === 'unknown' ? 'unknown' : 'passed';
}

export const OUTCOME_LOOKS = {
  passed: { Icon: CircleCheck, colour: 'text-allow', tone: 'allow', word: 'passed' },
  failed: { Icon: CircleX, colour: 'text-block', tone: 'block', word: 'failed' },
  unknown: { Icon: CircleHelp, colour: 'text-flag', tone: 'flag', word: 'could not tell' },
} as const;
