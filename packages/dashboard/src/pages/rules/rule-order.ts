interface WithId {
  readonly id: string;
}

/** The rules with one of them at another place, counted from 0. Places beyond the ends are the ends. */
export function withRuleAt<T extends WithId>(rules: readonly T[], id: string, place: number): T[] {
  const moved = rules.find((rule) => rule.id === id);
  const others = rules.filter((rule) => rule.id !== id);
  if (moved === undefined) return [...rules];
  const at = Math.max(0, Math.min(place, others.length));
  return [...others.slice(0, at), moved, ...others.slice(at)];
}

/** The rule that is asked after this one; `null` for the last. */
export function ruleAfter(rules: readonly WithId[], id: string): string | null {
  const place = rules.findIndex((rule) => rule.id === id);
  return place < 0 ? null : (rules[place + 1]?.id ?? null);
}
