/** A filter with several values, as the address bar holds it: `mx,!alias` is mx and not alias. */
export type Several = ReadonlyMap<string, 'is' | 'is not'>;

export function readSeveral(text: string | undefined): Several {
  const parts = (text ?? '').split(',').filter((part) => part !== '' && part !== '!');
  return new Map(parts.map((part) => (part.startsWith('!') ? [part.slice(1), 'is not'] : [part, 'is'])));
}

/** Each click moves to the next state: wanted, unwanted, neither. */
export function pickNext(several: Several, value: string): string {
  const next = new Map(several);
  const now = several.get(value);
  if (now === undefined) next.set(value, 'is');
  else if (now === 'is') next.set(value, 'is not');
  else next.delete(value);
  return written(next);
}

/** A wanted value becomes unwanted, and the other way round. */
export function toggled(text: string | undefined, value: string): string {
  const several = readSeveral(text);
  const state = several.get(value) === 'is' ? 'is not' : 'is';
  return written(new Map([...several, [value, state]]));
}

export function without(text: string | undefined, value: string): string {
  const several = new Map(readSeveral(text));
  several.delete(value);
  return written(several);
}

const written = (several: Several) =>
  [...several].map(([name, state]) => (state === 'is' ? name : `!${name}`)).join(',');

export function severalText(several: Several, nameOf: (value: string) => string): string {
  return [...several]
    .map(([value, state]) => (state === 'is' ? nameOf(value) : `not ${nameOf(value)}`))
    .join(', ');
}
