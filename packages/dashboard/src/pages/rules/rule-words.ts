import type { Rule } from '@postern/contract/rules';

const VERBS = { allow: 'Allow', flag: 'Flag', block: 'Block' } as const;

/** “Block when ip.country == "XX"” */
export function ruleText({ then, when }: Pick<Rule, 'then' | 'when'>): string {
  return `${VERBS[then]} when ${when}`;
}
