import {
  type Action,
  CHECK_NAMES,
  type CheckActions,
  type CheckName,
  isCheckName,
  type Signal,
} from '@postern/contract';
import type { EmailAddress } from '../model/email-address.ts';
import type { History } from '../model/history.ts';
import type { Finding } from './check.ts';
import type { CheckRun, CheckRuns } from './run-checks.ts';

/** The domain of the addresses with which a test key gets each outcome. Special-use (RFC 6761): nobody has it. */
export const MAGIC_DOMAIN = 'postern.test';

interface MagicRow {
  readonly gives: string;
  readonly fails?: CheckName;
  readonly signals?: readonly Signal[];
  readonly recommends?: Action;
  readonly refuses?: 'quota' | 'rate';
}

/** What each address does. Live keys know nothing of them. */
export const MAGIC_ADDRESSES: Readonly<Record<string, MagicRow>> = {
  allow: { gives: 'every check passes', recommends: 'allow' },
  flag: { gives: 'recommendation `flag`', recommends: 'flag' },
  block: { gives: 'recommendation `block`', recommends: 'block' },
  syntax: { gives: '`syntax` fails', fails: 'syntax' },
  disposable: { gives: '`disposable` fails', fails: 'disposable', signals: ['disposable_email'] },
  mx: { gives: '`mx` fails', fails: 'mx', signals: ['no_mx_records'] },
  role: { gives: '`roleEmail` fails', fails: 'roleEmail', signals: ['role_email'] },
  alias: { gives: '`alias` fails', fails: 'alias', signals: ['alias_detected'] },
  device: { gives: '`device` fails', fails: 'device', signals: ['device_reuse', 'device_seen_3_times'] },
  ip: { gives: '`ip` fails', fails: 'ip', signals: ['vpn_detected'] },
  quota: { gives: 'the 402 of an exhausted quota', refuses: 'quota' },
  rate: { gives: 'the 429 of an exhausted rate limit', refuses: 'rate' },
};

export interface SandboxOutcome {
  readonly runs: CheckRuns;
  readonly history: History | null;
  readonly actions: CheckActions;
  readonly refuses: 'quota' | 'rate' | undefined;
}

/** The outcome that a test key’s address stands for, or nothing when it is an ordinary one. */
export function sandboxOutcome(address: EmailAddress, actions: CheckActions): SandboxOutcome | undefined {
  if (address.asciiDomain !== MAGIC_DOMAIN || !Object.hasOwn(MAGIC_ADDRESSES, address.local))
    return undefined;
  const row = MAGIC_ADDRESSES[address.local];
  if (row === undefined) return undefined;

  const names = CHECK_NAMES.filter((name) => actions[name] !== undefined);
  const fails =
    row.fails ?? (row.recommends === 'allow' ? undefined : decidingCheck(row.recommends, actions));
  const runs = names.map((name): CheckRun => {
    const metadata = sampleMetadata(name, address);
    const finding: Finding =
      name === fails
        ? {
            outcome: 'failed',
            error: 'This test address always fails here',
            signals: row.signals ?? [],
            metadata,
          }
        : { outcome: 'passed', metadata };
    return { check: name, finding, latencyMs: 0 };
  });
  const forced = row.recommends !== undefined && fails !== undefined ? { [fails]: row.recommends } : {};
  const history = fails === 'device' && names.includes('device') ? REUSED_DEVICE : null;
  return { runs, history, actions: { ...actions, ...forced }, refuses: row.refuses };
}

/** What stands behind `device_seen_3_times`. */
const REUSED_DEVICE: History = {
  device: {
    previousSignups: 3,
    otherAddresses: 3,
    blockedAttempts: 0,
    networks: 1,
    overThreshold: true,
    common: false,
    firstSeen: null,
    lastSeen: null,
  },
  inboxReused: false,
};

/** The fields that an integration may count on, as an ordinary answer has them. */
function sampleMetadata(name: CheckName, address: EmailAddress): Record<string, unknown> {
  const { normalized, asciiDomain, unicodeDomain } = address;
  if (name === 'syntax') return { normalized, asciiDomain, unicodeDomain };
  if (name === 'alias') return { canonical: normalized, kind: 'none' };
  return {};
}

/** A check that recommends this under the policy; where there is none, the first that runs stands in. */
function decidingCheck(wanted: Action | undefined, actions: CheckActions): CheckName | undefined {
  if (wanted === undefined) return undefined;
  const names = Object.keys(actions).filter(isCheckName);
  return names.find((name) => actions[name] === wanted) ?? names[0] ?? 'syntax';
}
