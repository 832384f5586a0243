import type { CheckName } from '@postern/contract';
import type { Check, CheckInput } from '../../src/checks/check.ts';
import { type AskMailRoute, createCheckInput, type RequestFacts } from '../../src/checks/check-input.ts';
import type { Checks } from '../../src/checks/run-checks.ts';
import { parseEmailAddress } from '../../src/model/parse-email-address.ts';
import { DEFAULT_POLICY, type Project } from '../../src/model/project.ts';

export interface TestFacts
  extends Partial<Omit<RequestFacts, 'address' | 'project'>>,
    Partial<Pick<Project, 'policy'>> {
  /** Without it, DNS is not asked. */
  readonly mailRoute?: AskMailRoute;
}

/** The input that the service would build for this address, in a project with the default policy. */
export function inputFor(email: string, facts: TestFacts = {}): CheckInput {
  const address = parseEmailAddress(email);
  if (address === undefined) throw new Error(`${email} is not an address`);
  const { policy = DEFAULT_POLICY, mailRoute, now = 0, ...rest } = facts;
  return createCheckInput({ ...rest, address, now, project: { policy } }, mailRoute);
}

export const passingCheck: Check = { needsDns: false, inspect: () => ({ result: 'passed' }) };

/** A full set of checks: these, and for the other names checks that pass. */
export function checksWith(some: Partial<Record<CheckName, Check>>): Checks {
  return {
    syntax: passingCheck,
    disposable: passingCheck,
    mx: passingCheck,
    roleEmail: passingCheck,
    alias: passingCheck,
    device: passingCheck,
    ip: passingCheck,
    ...some,
  };
}
