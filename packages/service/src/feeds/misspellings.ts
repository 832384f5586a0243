import { readWords } from '../lists/read-list.ts';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** Endings that people type instead of the right one. All of them exist, or exist with one more dot. */
const ENDING_SLIPS: Readonly<Record<string, readonly string[]>> = {
  '.com': ['.co', '.cm', '.om'],
  '.net': ['.bet', '.ne'],
  '.co.uk': ['.vo.uk', '.xo.uk', '.com.uk'],
};

/**
 * Every name one typing error away from such a provider: a letter missing, doubled, swapped, moved by two places, added or
 * replaced, or the number that ends a local part on the wrong side of the @. The first letter is never replaced, only
 * lost: `notmail` is a word of its own. A wrong ending may come in addition.
 */
export function misspellings(): Set<string> {
  const providers = readWords('domains/often-mistyped.txt');
  const all = new Set<string>();
  for (const provider of providers) {
    const dot = provider.indexOf('.');
    const ending = provider.slice(dot);
    const endings = [ending, ...(ENDING_SLIPS[ending] ?? [])];
    for (const name of [provider.slice(0, dot), ...slips(provider.slice(0, dot))]) {
      for (const typed of endings) all.add(name + typed);
    }
  }
  for (const provider of providers) {
    all.delete(provider);
  }
  return all;
}

function* slips(name: string): Generator<string> {
  for (let number = 0; number < 100; number += 1) {
    yield number + name;
  }
  for (let at = 0; at < name.length; at += 1) {
    const before = name.slice(0, at);
    const after = name.slice(at + 1);
    yield before + after;
    yield before + after.slice(0, 1) + name.charAt(at) + after.slice(1);
    yield before + after.slice(0, 2) + name.charAt(at) + after.slice(2);
    if (at > 1) yield before.slice(0, -2) + name.charAt(at) + before.slice(-2) + after;
    for (const letter of LETTERS) {
      yield before + name.charAt(at) + letter + after;
      if (at > 0) {
        yield before + letter + after;
      }
    }
  }
}
