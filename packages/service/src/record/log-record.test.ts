import { describe, expect, it } from 'vitest';
import { aliasCheck } from '../checks/alias/alias-check.ts';
import type { Check, CheckInput } from '../checks/check.ts';
import { deviceCheck } from '../checks/device/device-check.ts';
import type { CheckRuns, Checks } from '../checks/run-checks.ts';
import { serializeChecks } from '../decision/serialize-checks.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import { logRecord } from './log-record.ts';

const passes: Check = { inspect: () => ({ outcome: 'passed' }) };
const checks: Checks = {
  syntax: passes,
  disposable: passes,
  mx: passes,
  roleEmail: passes,
  alias: aliasCheck,
  device: deviceCheck,
  ip: passes,
};
const address = parseEmailAddress('jane.doe@gmail.com');
if (address === undefined) throw new Error('no address');
const input = { address, ip: undefined, fingerprintHash: 'f' } as CheckInput;
const actions = { syntax: 'block', alias: 'flag', device: 'block', roleEmail: 'flag' } as const;

const runs: CheckRuns = [
  {
    check: 'syntax',
    finding: {
      outcome: 'passed',
      metadata: { normalized: 'jane.doe@gmail.com', asciiDomain: 'gmail.com' },
    },
    latencyMs: 1,
  },
  {
    check: 'alias',
    finding: { outcome: 'passed', metadata: { canonical: 'janedoe@gmail.com', kind: 'dots' } },
    latencyMs: 1,
  },
  { check: 'device', finding: { outcome: 'passed' }, latencyMs: 1 },
];

describe('the log’s row of a validation', () => {
  const row = logRecord({
    requestId: 'r',
    sdkVersion: undefined,
    input,
    runs,
    written: serializeChecks(runs),
    checks,
    actions,
    latencyMs: 2,
  });

  it('names no person', () => {
    expect(row.maskedAddress).toBe('j***@gmail.com');
    expect(row.checksJson).not.toContain('jane');
    expect(JSON.parse(row.checksJson).alias.metadata).toEqual({ kind: 'dots' });
  });
});
