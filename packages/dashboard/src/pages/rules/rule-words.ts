import type { RuleView } from '@postern/contract/dashboard';

const VERBS = { allow: 'Allow', flag: 'Flag', block: 'Block' } as const;

/** “Block when the country is “DE”.” */
export function ruleSentence({ then, sentence }: Pick<RuleView, 'then' | 'sentence'>): string {
  return `${VERBS[then]} when ${sentence}.`;
}
