import { randomInt } from 'node:crypto';
import { HOUR_MS, type WorkParameters } from '@postern/contract';
import type { ProjectPolicy } from '../model/project.ts';

/** What is kept of a task until its proof comes. */
export interface WorkTask {
  readonly parameters: WorkParameters;
  /** The task as the library signed it. */
  readonly signed: unknown;
}

const ALGORITHM = 'PBKDF2/SHA-256';
/** One derivation is too long for a graphics card to do millions a second, and too short for a person to notice. */
const ITERATIONS = 1_000;
const KEY_BYTES = 32;
const PREFIX_BYTES = 16;
/** The most counters to try. A campaign makes it one step more. */
const STEPS = [300, 1_500, 5_000, 15_000] as const;
const EFFORTS: readonly ProjectPolicy['stepUpEffort'][] = ['low', 'normal', 'high'];
/** The work stays harder for this long after a campaign’s last person. */
export const HARDER_FOR_MS = 3 * HOUR_MS;

/** How many counters a browser may have to try. */
export function mostCounters(effort: ProjectPolicy['stepUpEffort'], underWay: boolean): number {
  return STEPS[EFFORTS.indexOf(effort) + (underWay ? 1 : 0)] ?? STEPS[1];
}

// The library is loaded with the first task.
const library = () => Promise.all([import('altcha-lib'), import('altcha-lib/algorithms/pbkdf2')] as const);

/** A new task. Its counter is in the upper half, so that no bot gets it for nothing and no person waits for very long. */
export async function makeWork(maxCounter: number, secret: string): Promise<WorkTask> {
  const [{ createChallenge }, { deriveKey }] = await library();
  const signed = await createChallenge({
    algorithm: ALGORITHM,
    cost: ITERATIONS,
    keyLength: KEY_BYTES,
    keyPrefixLength: PREFIX_BYTES,
    counter: randomInt(Math.floor(maxCounter / 2), maxCounter + 1),
    deriveKey,
    hmacSignatureSecret: secret,
    hmacKeySignatureSecret: secret,
  });
  const { algorithm, nonce, salt, cost, keyLength, keyPrefix } = signed.parameters;
  return { signed, parameters: { algorithm, nonce, salt, cost, keyLength, keyPrefix, maxCounter } };
}

/** Whether `<counter>:<derived key>` solves the task. */
export async function isWorkDone({ signed }: WorkTask, proof: string, secret: string): Promise<boolean> {
  const [{ verifySolution }, { deriveKey }] = await library();
  const [counter = '', derivedKey = ''] = proof.split(':');
  const { verified } = await verifySolution({
    challenge: signed as Parameters<typeof verifySolution>[0]['challenge'],
    solution: { counter: Number(counter), derivedKey },
    deriveKey,
    hmacSignatureSecret: secret,
    hmacKeySignatureSecret: secret,
  });
  return verified;
}
