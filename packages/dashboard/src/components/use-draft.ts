import { useState } from 'react';

/** A field that somebody else saved while it was being changed here. */
export interface Clash {
  /** Its name, below the names of what it is part of. */
  readonly path: readonly string[];
  readonly mine: unknown;
  readonly theirs: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

interface Merged<Values> {
  readonly values: Values;
  /** What was saved, but the older value of a field that clashes. */
  readonly base: Values;
  readonly clashes: readonly Clash[];
}

/** Each field as the one person left it who changed it. A list is merged by its lines. */
export function merge<Values>(base: Values, mine: Values, theirs: Values): Merged<Values> {
  return mergeAny(base, mine, theirs, []) as Merged<Values>;
}

function mergeAny(base: unknown, mine: unknown, theirs: unknown, path: readonly string[]): Merged<unknown> {
  if (same(mine, base) || same(mine, theirs)) return { values: theirs, base: theirs, clashes: [] };
  if (same(theirs, base)) return { values: mine, base: theirs, clashes: [] };
  if (Array.isArray(base) && Array.isArray(mine) && Array.isArray(theirs)) {
    const kept = theirs.filter((line) => mine.includes(line) || !base.includes(line));
    const added = mine.filter((line) => !base.includes(line) && !theirs.includes(line));
    return { values: [...kept, ...added], base: theirs, clashes: [] };
  }
  if (!isFields(mine) || !isFields(theirs)) return { values: mine, base, clashes: [{ path, mine, theirs }] };
  const old = isFields(base) ? base : {};
  const merged = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])].map(
    (name) => [name, mergeAny(old[name], mine[name], theirs[name], [...path, name])] as const,
  );
  const pick = (part: 'values' | 'base') =>
    Object.fromEntries(
      merged.flatMap(([name, each]) => (each[part] === undefined ? [] : [[name, each[part]]])),
    );
  return {
    values: pick('values'),
    base: pick('base'),
    clashes: merged.flatMap(([, { clashes }]) => clashes),
  };
}

/** The values with another one at the path. */
function withValue(values: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const { [name]: old, ...others } = isFields(values) ? values : {};
  const part = withValue(old, rest, value);
  return part === undefined ? others : { ...others, [name]: part };
}

export type Draft<Values> = ReturnType<typeof useDraft<Values>>;

/**
 * What is being changed of saved values. A save of somebody else does not discard it: what only they changed becomes
 * theirs, what only this person changed stays, and for the rest both are offered.
 */
export function useDraft<Values>(saved: Values) {
  const [state, setState] = useState<{ base: Values; mine: Values } | undefined>();
  const { values, base, clashes } = merge(state?.base ?? saved, state?.mine ?? saved, saved);
  const set = (mine: Values) => setState({ base, mine });
  return {
    values,
    clashes,
    changed: !same(values, base),
    set,
    /** Follows what is saved, also after an own save. */
    discard: () => setState(undefined),
    keepMine: ({ path, theirs }: Clash) =>
      setState({ base: withValue(base, path, theirs) as Values, mine: values }),
    takeTheirs: ({ path, theirs }: Clash) => set(withValue(values, path, theirs) as Values),
  };
}
