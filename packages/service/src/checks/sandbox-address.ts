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
import type { CheckInput, Finding } from './check.ts';
import type { Inspection, InspectRequest } from './inspect-request.ts';
import type { CheckRun } from './run-checks.ts';

/**
 * The domain of the addresses that give a test key each answer. It is reserved (RFC 6761), so it cannot be registered.
 */
export const SANDBOX_DOMAIN = 'postern.test';

interface SandboxRow {
  readonly gives: string;
  readonly fails?: CheckName;
  readonly signals?: readonly Signal[];
  readonly recommends?: Action;
  readonly refuses?: 'quota' | 'rate';
}

/** The address that fails each check, with its signals. The type makes the compiler report a missing check. */
const FAILING: Readonly<Record<CheckName, { readonly local: string; readonly signals: readonly Signal[] }>> =
  {
    syntax: { local: 'syntax', signals: [] },
    disposable: { local: 'disposable', signals: ['disposable_email'] },
    mx: { local: 'mx', signals: ['no_mx_records'] },
    roleEmail: { local: 'role', signals: ['role_email'] },
    alias: { local: 'alias', signals: ['alias_detected'] },
    device: { local: 'device', signals: ['device_reuse', 'device_seen_3_times'] },
    ip: { local: 'ip', signals: ['vpn_detected'] },
  };

function failingRows(): Record<string, SandboxRow> {
  const rows: Record<string, SandboxRow> = {};
  for (const name of CHECK_NAMES) {
    const { local, signals } = FAILING[name];
    rows[local] = { gives: `\`${name}\` fails`, fails: name, signals };
  }
  return rows;
}

/** What each sandbox address does. Live keys treat them as ordinary addresses. */
export const SANDBOX_ADDRESSES: Readonly<Record<string, SandboxRow>> = {
  allow: { gives: 'every check passes', recommends: 'allow' },
  flag: { gives: 'recommendation `flag`', recommends: 'flag' },
  block: { gives: 'recommendation `block`', recommends: 'block' },
  ...failingRows(),
  quota: { gives: 'the 402 of an exhausted quota', refuses: 'quota' },
  rate: { gives: 'the 429 of an exhausted rate limit', refuses: 'rate' },
};

/** The simulated result of a sandbox address, or nothing for an ordinary address. */
function sandboxInspection({ address }: CheckInput, actions: CheckActions): Inspection | undefined {
  if (address.asciiDomain !== SANDBOX_DOMAIN || !Object.hasOwn(SANDBOX_ADDRESSES, address.local))
    return undefined;
  const row = SANDBOX_ADDRESSES[address.local];
  if (row === undefined) return undefined;

  const names = CHECK_NAMES.filter((name) => actions[name] !== undefined);
  const fails =
    row.fails ?? (row.recommends === 'allow' ? undefined : decidingCheck(row.recommends, actions));
  const runs = names.map((name): CheckRun => {
    const metadata = sampleMetadata(name, address);
    const finding: Finding =
      name === fails
        ? {
            result: 'failed',
            error: 'This test address always fails here',
            signals: row.signals ?? [],
            metadata,
          }
        : { result: 'passed', metadata };
    return { check: name, finding, latencyMs: 0 };
  });
  const forced = row.recommends !== undefined && fails !== undefined ? { [fails]: row.recommends } : {};
  const simulatedHistory = fails === 'device' && names.includes('device') ? REUSED_DEVICE : NO_HISTORY;
  return {
    runs,
    actions: { ...actions, ...forced },
    recall: () => runs,
    simulatedHistory,
    simulatedLimit: row.refuses,
  };
}

/** Test keys get the simulated result of a sandbox address. Everything else is inspected as usual. */
export function withSandbox(inspect: InspectRequest): InspectRequest {
  return (request, mode) => {
    const sandbox = mode === 'test' ? sandboxInspection(request.input, request.actions) : undefined;
    return sandbox ?? inspect(request, mode);
  };
}

const NO_HISTORY: History = { device: null, inboxReused: false };

/** The history behind `device_seen_3_times`. */
const REUSED_DEVICE: History = {
  device: {
    previousSignups: 3,
    otherAddresses: 3,
    people: 3,
    confirmedPeople: 3,
    blockedAttempts: 0,
    networks: 1,
    overThreshold: true,
    flagsOnly: false,
    common: false,
    firstSeen: null,
    lastSeen: null,
  },
  inboxReused: false,
};

/** Metadata that integrations rely on, in the same form as in an ordinary answer. */
function sampleMetadata(name: CheckName, address: EmailAddress): Record<string, unknown> {
  const { normalized, asciiDomain, unicodeDomain } = address;
  if (name === 'syntax') return { normalized, asciiDomain, unicodeDomain };
  if (name === 'alias') return { canonical: normalized, kind: 'none' };
  return {};
}

/**
 * A check with this action in the policy, or else the first that runs. If none runs, `syntax` stands for it, so that the
 * address still gives the answer that it promises.
 */
function decidingCheck(wanted: Action | undefined, actions: CheckActions): CheckName | undefined {
  if (wanted === undefined) return undefined;
  const names = Object.keys(actions).filter(isCheckName);
  return names.find((name) => actions[name] === wanted) ?? names[0] ?? 'syntax';
}
