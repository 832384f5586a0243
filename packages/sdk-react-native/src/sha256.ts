/**
 * SHA-256 (FIPS 180-4) in plain arithmetic: React Native’s engine has no `crypto.subtle`, and an ID of a few
 * dozen bytes is hashed once per start.
 */
export function sha256Hex(text: string): string {
  const message = padded(utf8(text));
  const state = new Uint32Array(INITIAL);
  const words = new Uint32Array(64);
  const view = new DataView(message.buffer);
  for (let block = 0; block < message.length; block += 64) {
    for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(block + index * 4);
    compress(state, words);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

/** Section 5.3.3: the fractional parts of the square roots of the first eight primes. */
const INITIAL = fractions(8, (prime) => Math.sqrt(prime));
/** Section 4.2.2: the fractional parts of the cube roots of the first sixty-four primes. */
const ROUND = fractions(64, (prime) => Math.cbrt(prime));

function fractions(count: number, root: (prime: number) => number): Uint32Array {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate += 1) {
    if (isPrime(candidate)) found.push(Math.floor((root(candidate) % 1) * 2 ** 32));
  }
  return new Uint32Array(found);
}

function isPrime(number: number): boolean {
  for (let divisor = 2; divisor * divisor <= number; divisor += 1) if (number % divisor === 0) return false;
  return true;
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** Section 6.2.2. */
function compress(state: Uint32Array, words: Uint32Array): void {
  for (let index = 16; index < 64; index += 1) {
    const near = at(words, index - 2);
    const far = at(words, index - 15);
    const sigma1 = rotate(near, 17) ^ rotate(near, 19) ^ (near >>> 10);
    const sigma0 = rotate(far, 7) ^ rotate(far, 18) ^ (far >>> 3);
    words[index] = sigma1 + at(words, index - 7) + sigma0 + at(words, index - 16);
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index += 1) {
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + sum1 + choice + at(ROUND, index) + at(words, index)) | 0;
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + sum0 + majority) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = at(state, index) + word;
  });
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

/** Section 5.1.1: a one bit, zeros, and the length in bits at the end of the last block. */
function padded(bytes: Uint8Array): Uint8Array {
  const message = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  message.set(bytes);
  message[bytes.length] = 0x80;
  new DataView(message.buffer).setUint32(message.length - 4, bytes.length * 8);
  return message;
}

/** Older Hermes has no `TextEncoder`; `encodeURIComponent` always uses UTF-8. */
function utf8(text: string): Uint8Array {
  const binary = encodeURIComponent(text).replace(/%(..)/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
