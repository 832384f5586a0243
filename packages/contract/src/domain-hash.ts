/**
 * Two independent 32-bit hashes, taken together as one of 64 bits. Characters are hashed from the last to the first, so
 * that one pass over a name also gives the hash of each parent domain.
 */
export const DOMAIN_SEED = 0x811c9dc5 | 0;
/** Mail hosts and name servers share the table with domains. Different seeds keep them apart. */
export const MAIL_HOST_SEED = 0x2f0b4c47 | 0;
export const NAME_SERVER_SEED = 0x51ab37e9 | 0;

export function stepHigh(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

export function stepLow(hash: number, code: number): number {
  const mixed = Math.imul(hash + code, 0xcc9e2d51 | 0);
  return (mixed << 15) | (mixed >>> 17);
}

/** Spreads the last characters, which a multiplicative hash leaves in the low bits, over the whole word. */
export function finish(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b | 0);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35 | 0);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

export function hashName(name: string, seed: number): { readonly high: number; readonly low: number } {
  let high = seed;
  let low = ~seed;
  for (let index = name.length - 1; index >= 0; index -= 1) {
    const code = name.charCodeAt(index);
    high = stepHigh(high, code);
    low = stepLow(low, code);
  }
  return { high: finish(high), low: finish(low) };
}
