import type { InstanceStore } from '../store/store.ts';
import { createVerdictSigner, makeSigningKey, type VerdictSigner } from './verdict.ts';

/** The signing keys as they stand in the store; another process may have rotated them. */
export interface VerdictKeys {
  readonly signer: () => VerdictSigner;
  /** The signer on keys read just now, for whoever asks what is published. */
  readonly freshSigner: () => Promise<VerdictSigner>;
  readonly close: () => void;
}

const REREAD_MS = 30_000;
/** Strangers may ask for the key set as often as they like. */
const FRESH_FOR_MS = 1_000;

export async function openVerdictKeys(
  store: Pick<InstanceStore, 'addSigningKey' | 'signingKeys'>,
  now: () => number,
  onFault: (fault: unknown) => void,
): Promise<VerdictKeys> {
  let signer = createVerdictSigner(await store.addSigningKey(makeSigningKey(now()), true));
  let readAt = now();
  const reread = async (): Promise<void> => {
    readAt = now();
    try {
      signer = createVerdictSigner(await store.signingKeys());
    } catch (fault) {
      onFault(fault);
    }
  };
  const timer = setInterval(() => void reread(), REREAD_MS).unref();
  return {
    signer: () => signer,
    freshSigner: async () => {
      if (now() - readAt >= FRESH_FOR_MS) await reread();
      return signer;
    },
    close: () => clearInterval(timer),
  };
}
