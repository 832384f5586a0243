import { DAY_MS, type KeyType } from '@postern/contract';
import type { CheckInput } from '../checks/check.ts';
import type { Inbox } from '../model/inbox.ts';
import { networkOf } from '../model/ip-address.ts';
import type { Project } from '../model/project.ts';
import type { ValidationRecord } from '../store/store.ts';
import type { KeyedHash } from './keyed-hash.ts';

/** The query for the project’s history. Personal values are hashes that only this instance can compute. */
export function historyQuery(
  input: CheckInput,
  inbox: Inbox,
  project: Project,
  keyedHash: KeyedHash,
  keyType: KeyType,
): Omit<ValidationRecord, 'log'> {
  const { fingerprintHash, ip, address } = input;
  const networkHash = ip === undefined ? null : keyedHash('network', networkOf(ip));
  const inboxHash = keyedHash('inbox', inbox.canonical);
  return {
    inboxHash,
    // Most people write their inbox's own name, which needs no second hash to differ from the other spellings.
    spellingHash:
      address.normalized === inbox.canonical ? inboxHash : keyedHash('spelling', address.normalized),
    claim: {
      isClaim: keyType === 'client',
      networkHash,
      confirmedOnly: project.policy.actions.alias === 'block',
    },
    device:
      fingerprintHash === undefined
        ? null
        : {
            deviceHash: keyedHash('device', fingerprintHash),
            networkHash,
            threshold: project.policy.deviceThreshold,
            commonNetworks: project.policy.deviceCommonNetworks,
            flagClaims: project.policy.actions.device === 'block',
            // A backend asks about people who have sent the form, not about what they type.
            mistyped: keyType === 'client' ? (input.activity?.mistyped(inboxHash) ?? 0) : 0,
          },
    retentionMs: project.retentionDays * DAY_MS,
  };
}
