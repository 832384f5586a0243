import type { ResultKind } from '@postern/contract';
import { CircleCheck, CircleHelp, CircleX } from '../icons.ts';

export const RESULT_LOOKS = {
  passed: { Icon: CircleCheck, colour: 'text-allow', tone: 'allow', word: 'passed' },
  failed: { Icon: CircleX, colour: 'text-block', tone: 'block', word: 'failed' },
  unknown: { Icon: CircleHelp, colour: 'text-flag', tone: 'flag', word: 'could not tell' },
} as const satisfies Record<ResultKind, unknown>;
