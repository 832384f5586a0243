import type { RuleFactName } from '@postern/contract/rules';

/** What an expression looks at. */
export class FactUse {
  readonly facts = new Set<RuleFactName>();
  /** Single words of the lists of signals and of failed checks. */
  readonly words = { signals: new Set<string>(), failed: new Set<string>() };
  /** The project’s lists that it names, and where each is named first. */
  readonly lists = new Map<string, number>();

  add(name: RuleFactName): void {
    this.facts.add(name);
  }

  addWord(list: 'signals' | 'failed', word: string): void {
    this.words[list].add(word);
  }
}
