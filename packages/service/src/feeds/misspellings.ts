import { readWords } from '../lists/read-list.ts';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/**
 * Every name one typing error away from such a provider: a letter missing, doubled, swapped, added or replaced by its
 * neighbour, or the number that ends a local part on the wrong side of the @. The first letter is never replaced, only
 * lost: `notmail` is a word of its own.
 */
export function misspellings(): Set<string> {
  const providers = readWords('domains/often-mistyped.txt');
  const all = new Set<string>();
  for (const provider of providers) {
    const dot = provider.indexOf('.');
    for (const name of slips(provider.slice(0, dot))) {
      all.add(name + provider.slice(dot));
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
    for (const letter of LETTERS) {
      yield before + name.charAt(at) + letter + after;
      if (at > 0) {
        yield before + letter + after;
      }
    }
  }
}
