import { CHECK_METADATA } from './check-metadata.ts';
import { CHECK_NAMES } from './checks.ts';
import type { RuleFactName } from './rules.ts';
import { SIGNALS } from './signals.ts';

/** The signals that rules can see: those of checks. */
export const RULE_SIGNALS: readonly string[] = Object.entries(SIGNALS)
  .filter(([, { check }]) => check !== null)
  .map(([name]) => name);

/** Facts that have only certain values. Where the value is missing, it is empty. */
export const FACT_VALUES = {
  'email.class': ['free', 'business', 'relay', 'disposable'],
  'ip.kind': CHECK_METADATA.ip.kind.type,
  'key.type': ['client', 'server'],
  signals: RULE_SIGNALS,
  failed: CHECK_NAMES,
} as const satisfies Partial<Record<RuleFactName, readonly string[]>>;
