import type { InstanceStore } from '../store/tables/instance-table.ts';
import { readSharedSigningKeys } from './signing-key-file.ts';
import { createVerdictSigner, makeSigningKey, type VerdictSigner } from './verdict.ts';

/** The signing keys in use. Another process may have rotated them. */
export interface VerdictKeys {
  readonly signer: () => VerdictSigner;
  /** The signer with freshly read keys, for publishing the key set. */
  readonly freshSigner: () => Promise<VerdictSigner>;
  readonly close: () => void;
}

const REREAD_MS = 30_000;
/** Cached for a short time, because anyone can request the key set without a limit. */
const FRESH_FOR_MS = 1_000;

/** Where the keys come from: the store, or POSTERN_SIGNING_KEYS that several installations share. */
export interface KeySource {
  readonly store: Pick<InstanceStore, 'firstSigningKey' | 'signingKeys'>;
  readonly shared: string | undefined;
}

export async function openVerdictKeys(
  { store, shared }: KeySource,
  now: () => number,
  onFault: (fault: unknown) => void,
): Promise<VerdictKeys> {
  const read = () => (shared === undefined ? store.signingKeys() : readSharedSigningKeys(shared));
  let signer = createVerdictSigner(
    shared === undefined ? await store.firstSigningKey(makeSigningKey(now())) : await read(),
  );
  let readAt = now();
  const reread = async (): Promise<void> => {
    readAt = now();
    try {
      signer = createVerdictSigner(await read());
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
