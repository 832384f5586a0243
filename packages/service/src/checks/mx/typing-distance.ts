/**
 * How far a typed word is from the intended one, in typing errors: an optimal string alignment distance in which
 * frequent errors cost less. Neighbouring keys, doubled and swapped letters are cheap. An unrelated letter is
 * expensive, because that is how different names differ. A slip at the first letter is rare and costs extra.
 */
export const SLIP = {
  doubled: 0.4,
  lookAlike: 0.5,
  hyphen: 0.5,
  swapped: 0.6,
  neighbour: 0.7,
  vowel: 0.8,
  omitted: 0.8,
  extra: 1,
  other: 1.2,
  atStart: 0.4,
} as const;

const KEYBOARD = ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const VOWELS = 'aeiouy';
/** Digits and letters that stand for others, and the keys that English and German keyboards swap. */
const LOOK_ALIKE = ['0o', '1l', '1i', 'il', 'yz'];

/** Cost of typing one character for another, by their ASCII codes. */
const substitution = new Float64Array(128 * 128).fill(SLIP.other);
/** 1 where two keys are neighbours. */
const touching = new Uint8Array(128 * 128);

function allow(one: string, other: string, cost: number): void {
  for (const [a, b] of [
    [one.charCodeAt(0), other.charCodeAt(0)],
    [other.charCodeAt(0), one.charCodeAt(0)],
  ] as const) {
    substitution[a * 128 + b] = Math.min(cost, substitution[a * 128 + b] ?? cost);
    if (cost === SLIP.neighbour) touching[a * 128 + b] = 1;
  }
}

for (const one of VOWELS) for (const other of VOWELS) if (one !== other) allow(one, other, SLIP.vowel);
for (const [row, keys] of KEYBOARD.entries()) {
  for (const [column, key] of [...keys].entries()) {
    const right = keys[column + 1];
    if (right !== undefined) allow(key, right, SLIP.neighbour);
    // Each row is shifted half a key to the right of the one above it.
    for (const below of [KEYBOARD[row + 1]?.[column - 1], KEYBOARD[row + 1]?.[column]]) {
      if (below !== undefined) allow(key, below, SLIP.neighbour);
    }
  }
}
for (const pair of LOOK_ALIKE) allow(pair.charAt(0), pair.charAt(1), SLIP.lookAlike);

const HYPHEN = 45;
const MAX_LENGTH = 24;
const rows = [0, 1, 2].map(() => new Float64Array(MAX_LENGTH + 1)) as [
  Float64Array,
  Float64Array,
  Float64Array,
];

/** The distance, or Infinity as soon as it must exceed the limit. Both words are ASCII. */
export function typingDistance(typed: string, intended: string, limit: number): number {
  const width = intended.length;
  if (typed.length > MAX_LENGTH || width > MAX_LENGTH) return Number.POSITIVE_INFINITY;
  let [beforeLast, last, current] = rows;
  last[0] = 0;
  for (let j = 1; j <= width; j++) last[j] = (last[j - 1] ?? 0) + omissionCost(intended, j - 1);
  for (let i = 1; i <= typed.length; i++) {
    const code = typed.charCodeAt(i - 1) & 127;
    const extra = extraCost(typed, i - 1);
    let least = (last[0] ?? 0) + extra;
    current[0] = least;
    for (let j = 1; j <= width; j++) {
      const meant = intended.charCodeAt(j - 1) & 127;
      let cost = last[j - 1] ?? 0;
      if (code !== meant) {
        cost += (substitution[code * 128 + meant] ?? SLIP.other) + (j === 1 ? SLIP.atStart : 0);
        if (i > 1 && j > 1 && typed.charCodeAt(i - 2) === meant && intended.charCodeAt(j - 2) === code) {
          cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + SLIP.swapped);
        }
        cost = Math.min(cost, (last[j] ?? 0) + extra, (current[j - 1] ?? 0) + omissionCost(intended, j - 1));
      }
      current[j] = cost;
      if (cost < least) least = cost;
    }
    // A swap can still use the previous row, so both rows must exceed the limit.
    if (least > limit + SLIP.swapped) return Number.POSITIVE_INFINITY;
    const free = beforeLast;
    beforeLast = last;
    last = current;
    current = free;
  }
  const distance = last[width] ?? Number.POSITIVE_INFINITY;
  return distance <= limit ? distance : Number.POSITIVE_INFINITY;
}

function omissionCost(intended: string, index: number): number {
  const code = intended.charCodeAt(index);
  // One of two equal letters is easily lost, but not both.
  if (code === intended.charCodeAt(index + 1)) return SLIP.doubled;
  return index === 0 ? SLIP.omitted + SLIP.atStart : SLIP.omitted;
}

function extraCost(typed: string, index: number): number {
  const code = typed.charCodeAt(index) & 127;
  const before = typed.charCodeAt(index - 1) & 127;
  const after = typed.charCodeAt(index + 1) & 127;
  if (code === before || code === after) return SLIP.doubled;
  if (code === HYPHEN) return SLIP.hyphen;
  const cost =
    touching[code * 128 + before] === 1 || touching[code * 128 + after] === 1 ? SLIP.neighbour : SLIP.extra;
  return index === 0 ? cost + SLIP.atStart : cost;
}

/** Whether letters are moved by at most three places, except the first: `yaooh`, `gimal`. */
export function hasLettersOutOfPlace(typed: string, intended: string): boolean {
  if (typed.length !== intended.length || typed[0] !== intended[0]) return false;
  let first = -1;
  let last = -1;
  for (let index = 1; index < typed.length; index++) {
    if (typed[index] === intended[index]) continue;
    if (first < 0) first = index;
    last = index;
  }
  if (first < 0 || last - first > 2) return false;
  const sorted = (word: string) => [...word.slice(first, last + 1)].sort().join('');
  return sorted(typed) === sorted(intended);
}

/** Whether at most two vowels differ, at the same places, and the first letter is the same: `gmiel`. */
export function differsInVowelsOnly(typed: string, intended: string): boolean {
  if (typed.length !== intended.length || typed[0] !== intended[0]) return false;
  let others = 0;
  for (let index = 1; index < typed.length; index++) {
    if (typed[index] === intended[index]) continue;
    if (!VOWELS.includes(typed.charAt(index)) || !VOWELS.includes(intended.charAt(index))) return false;
    others += 1;
  }
  return others > 0 && others <= 2;
}
