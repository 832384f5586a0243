import { CHECK_NAMES, type CheckName } from '@postern/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../checks/check.ts';
import type { CheckRun, CheckRuns } from '../../checks/run-checks.ts';
import { checkResults } from '../../decision/check-results.ts';
import { readLoggedChecks, writeChecks } from './checks-json.ts';

const metadata = fc.dictionary(
  fc.constantFrom('normalized', 'canonical', 'address', 'kind', 'records', 'status', 'reason'),
  fc.jsonValue(),
);
const facts = fc.record({ signals: fc.constant([]), metadata }, { requiredKeys: [] });
const finding: fc.Arbitrary<Finding> = fc.oneof(
  facts.map((more): Finding => ({ result: 'passed', ...more })),
  fc.tuple(fc.string(), facts).map(([error, more]): Finding => ({ result: 'failed', error, ...more })),
  fc.tuple(fc.string(), facts).map(([reason, more]): Finding => ({ result: 'unknown', reason, ...more })),
);
const runs: fc.Arbitrary<CheckRuns> = fc
  .uniqueArray(
    fc.tuple(fc.constantFrom(...CHECK_NAMES), finding, fc.double({ min: 0, max: 1e4, noNaN: true })),
    {
      selector: ([name]) => name,
    },
  )
  .map((made) => made.map(([check, found, latencyMs]) => ({ check, finding: found, latencyMs })));

const throughJson = (value: unknown) => JSON.parse(JSON.stringify(value));

describe('written results', () => {
  it('match the results, for any findings', () => {
    fc.assert(
      fc.property(runs, (made) => {
        expect(JSON.parse(writeChecks(made).forAnswer(made))).toEqual(throughJson(checkResults(made)));
      }),
    );
  });

  it('come back from the log, for any findings without a person’s fields', () => {
    fc.assert(
      fc.property(runs, (made) => {
        const impersonal = made.filter(({ check }) => !['syntax', 'alias', 'ip'].includes(check));
        const logged = writeChecks(impersonal).forLog();
        expect(readLoggedChecks(logged)).toEqual(throughJson(checkResults(impersonal)));
      }),
    );
  });

  it('leave the fields that can name a person out of the log', () => {
    const made = passing({
      syntax: { normalized: 'jane@example.com', asciiDomain: 'example.com' },
      alias: { canonical: 'jane@example.com', family: 'jane', kind: 'none' },
      ip: { address: '192.0.2.1', kind: 'ordinary' },
    });
    expect(readLoggedChecks(writeChecks(made).forLog())).toEqual({
      syntax: { pass: true, latency: 1, metadata: { asciiDomain: 'example.com' } },
      alias: { pass: true, latency: 1, metadata: { kind: 'none' } },
      ip: { pass: true, latency: 1, metadata: { kind: 'ordinary' } },
    });
  });

  it('are the same for metadata that many requests share', () => {
    const fields = () => ({ address: '192.0.2.1', kind: 'ordinary', asn: 7 });
    const own = writeChecks(passing({ ip: fields() }));
    const made = passing({ ip: Object.freeze(fields()) });
    for (let request = 0; request < 2; request += 1) {
      const shared = writeChecks(made);
      expect(shared.forLog()).toBe(own.forLog());
      expect(shared.forAnswer(made)).toBe(own.forAnswer(passing({ ip: fields() })));
    }
  });

  it('take what history changed from the recalled runs', () => {
    const before = passing({ alias: { kind: 'dots' }, device: {} });
    const seen: CheckRun = {
      check: 'alias',
      finding: { result: 'failed', error: 'seen', metadata: { seenBefore: true } },
      latencyMs: 1,
    };
    const recalled = before.map((run) => (run.check === 'alias' ? seen : run));
    const written = writeChecks(before);
    expect(JSON.parse(written.forAnswer(recalled))).toEqual(throughJson(checkResults(recalled)));
    expect(readLoggedChecks(written.forLog())).toEqual(throughJson(checkResults(before)));
  });
});

function passing(metadataOf: Partial<Record<CheckName, Record<string, unknown>>>): CheckRuns {
  return Object.entries(metadataOf).map(([name, fields]) => ({
    check: name as CheckName,
    finding: { result: 'passed', metadata: fields },
    latencyMs: 1,
  }));
}
