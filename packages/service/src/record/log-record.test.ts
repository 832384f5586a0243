import { describe, expect, it } from 'vitest';
import { checksWith, inputFor } from '../../test/support/check-input.ts';
import { aliasCheck } from '../checks/alias/alias-check.ts';
import { deviceCheck } from '../checks/device/device-check.ts';
import type { CheckRuns } from '../checks/run-checks.ts';
import { NOTHING_OWN } from '../decision/own-decision.ts';
import { NO_FACTS } from '../model/facts-for-rules.ts';
import { historyEffects } from './history-effects.ts';
import { readLoggedChecks, writeChecks } from './json/checks-json.ts';
import { logRecord } from './log-record.ts';

const checks = checksWith({ alias: aliasCheck, device: deviceCheck });
const input = inputFor('jane.doe@gmail.com', { fingerprintHash: 'f' });
const actions = { syntax: 'block', alias: 'flag', device: 'block', roleEmail: 'flag' } as const;

const runs: CheckRuns = [
  {
    check: 'syntax',
    finding: {
      result: 'passed',
      metadata: { normalized: 'jane.doe@gmail.com', asciiDomain: 'gmail.com' },
    },
    latencyMs: 1,
  },
  {
    check: 'alias',
    finding: { result: 'passed', metadata: { canonical: 'janedoe@gmail.com', kind: 'dots' } },
    latencyMs: 1,
  },
  { check: 'device', finding: { result: 'passed' }, latencyMs: 1 },
];

describe('the log’s row of a validation', () => {
  const row = logRecord({
    requestId: 'r',
    sdkVersion: undefined,
    input,
    domain: 'gmail.com',
    runs,
    written: writeChecks(runs),
    actions,
    facts: {
      ...NO_FACTS,
      failed: [],
      signals: [],
      shape: 'aa.aa',
      maskedIp: null,
      country: undefined,
      asn: undefined,
    },
    effects: historyEffects(checks, runs, true),
    own: NOTHING_OWN,
    latencyMs: 2,
  });

  it('names no person', () => {
    expect(row.maskedAddress).toBe('j***@gmail.com');
    expect(row.checksJson).not.toContain('jane');
    expect(readLoggedChecks(row.checksJson).alias?.metadata).toEqual({ kind: 'dots' });
  });
});
