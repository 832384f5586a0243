import type { CheckActions, CheckName, KeyType, Recommendation } from '@postern/contract';
import type { KeyMode } from '../model/api-key.ts';
import type { History } from '../model/history.ts';

/** A validation as the log gives it back. */
export interface LogRow {
  readonly id: string;
  readonly projectId: string;
  readonly at: number;
  readonly requestId: string;
  readonly keyId: string;
  readonly keyType: KeyType;
  readonly mode: KeyMode;
  readonly maskedAddress: string;
  readonly domain: string;
  readonly maskedIp: string | null;
  /** The shape of the address’s name, such as `a99`. `null`: it has none, or an earlier version wrote the row. */
  readonly shape: string | null;
  readonly sdkVersion: string | null;
  readonly inboxHash: string;
  readonly deviceHash: string | null;
  readonly recommendation: Recommendation;
  readonly actions: CheckActions;
  readonly failed: readonly CheckName[];
  readonly signals: readonly string[];
  readonly checksJson: string;
  readonly latencyMs: number;
  readonly history: History;
}
