import { randomBytes } from 'node:crypto';
import { codesStopped, vendorFailed } from './events/alerts.ts';
import {
  type ChallengeHandler,
  type ChallengeParts,
  createChallengeHandler,
  createCodeCounter,
} from './http/answer-challenge.ts';
import type { LogFault } from './log.ts';
import type { Metrics } from './metrics/metrics.ts';
import { type Challenges, createChallenges, type StepUpParts } from './step-up/challenges.ts';
import type { Store } from './store/store.ts';

interface Parts
  extends Omit<ChallengeParts, 'store' | 'challenges'>,
    Pick<StepUpParts, 'secret' | 'mail' | 'fetch' | 'vendorUrl'> {
  readonly store: Pick<Store, 'challenges' | 'campaigns' | 'events'>;
  /** The store as requests use it. */
  readonly counting: ChallengeParts['store'];
  readonly logFault: LogFault;
  readonly metrics: Metrics;
}

/** What a flag asks of people, and the route that takes their proofs. */
export function openStepUp(parts: Parts): {
  readonly challenges: Challenges;
  readonly answer: ChallengeHandler;
} {
  const { store, logFault, metrics } = parts;
  const counting = { ...parts, store: parts.counting };
  const alert = (type: string, written: Promise<void>) =>
    void written.catch((fault) => logFault(fault, `could not write a ${type} event`));
  const challenges = createChallenges({
    ...parts,
    randomBytes,
    countCode: createCodeCounter({
      ...counting,
      onStopped: (project, at) => alert('step_up.mail_stopped', codesStopped(store, project, at)),
    }),
    onFault: (fault) => logFault(fault, 'could not ask a flagged person; the answer is a plain flag'),
    onVendorFault(projectId, fault) {
      logFault(fault, 'a CAPTCHA vendor did not check a flagged person');
      alert('step_up.vendor_failed', vendorFailed(store, projectId, fault, parts.now()));
    },
    onResult: (kind, result) => metrics.count('postern_challenges_total', { kind, result }),
  });
  return { challenges, answer: createChallengeHandler({ ...counting, challenges }) };
}
