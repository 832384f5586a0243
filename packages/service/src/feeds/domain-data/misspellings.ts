/** Where people mistype most: providers with very many users and names that few others resemble. */
const OFTEN_MISTYPED = [
  'gmail.com googlemail.com hotmail.com hotmail.co.uk hotmail.fr hotmail.it hotmail.es hotmail.de outlook.com outlook.fr',
  'yahoo.com yahoo.co.uk yahoo.co.in yahoo.fr yahoo.de yahoo.es yahoo.it yahoo.ca yahoo.com.br rocketmail.com',
  'icloud.com protonmail.com comcast.net verizon.net sbcglobal.net bellsouth.net earthlink.net optonline.net charter.net',
  'btinternet.com virginmedia.com orange.fr wanadoo.fr laposte.net libero.it yandex.ru rambler.ru rediffmail.com',
]
  .join(' ')
  .split(' ');

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/**
 * Every name one slip away from such a provider: a letter lost, doubled, swapped, added or struck beside, or the number
 * that ends a local part on the wrong side of the @. The first letter stays, unless it is lost: `notmail` is a word
 * of its own.
 */
export function misspellings(): Set<string> {
  const all = new Set<string>();
  for (const provider of OFTEN_MISTYPED) {
    const dot = provider.indexOf('.');
    for (const name of slips(provider.slice(0, dot))) {
      all.add(name + provider.slice(dot));
    }
  }
  for (const provider of OFTEN_MISTYPED) {
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
