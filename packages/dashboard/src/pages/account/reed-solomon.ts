/** Multiplication in GF(256) with the QR code’s polynomial, x^8 + x^4 + x^3 + x^2 + 1. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((b >>> bit) & 1) * a;
  }
  return product;
}

/** The generator polynomial’s coefficients below its leading 1: the product of (x - 2^i). */
function generator(degree: number): number[] {
  const coefficients = [...new Array<number>(degree - 1).fill(0), 1];
  let root = 1;
  for (let index = 0; index < degree; index += 1) {
    for (let at = 0; at < degree; at += 1) {
      coefficients[at] = multiply(coefficients[at] ?? 0, root) ^ (coefficients[at + 1] ?? 0);
    }
    root = multiply(root, 2);
  }
  return coefficients;
}

/** The codewords that let a reader repair a damaged block (ISO/IEC 18004, section 7.5.2). */
export function errorCorrection(data: readonly number[], length: number): number[] {
  const divisor = generator(length);
  const rest = new Array<number>(length).fill(0);
  for (const codeword of data) {
    const factor = codeword ^ (rest.shift() ?? 0);
    rest.push(0);
    for (const [index, coefficient] of divisor.entries())
      rest[index] = (rest[index] ?? 0) ^ multiply(coefficient, factor);
  }
  return rest;
}
