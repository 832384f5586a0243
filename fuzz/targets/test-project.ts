import { CHECK_NAMES } from '@postern/contract';
import type { Check } from '../../packages/service/src/checks/check.ts';
import type { Checks } from '../../packages/service/src/checks/run-checks.ts';
import { DEFAULT_POLICY } from '../../packages/service/src/model/project.ts';

const passing: Check = { needsDns: false, inspect: () => ({ result: 'passed' }) };

export const passingChecks = Object.fromEntries(CHECK_NAMES.map((name) => [name, passing])) as Checks;
export const project = { id: 'p', policy: DEFAULT_POLICY, allowList: [], blockList: [] };
export const serverKey = { type: 'server' };
