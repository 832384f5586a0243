const BLOCK = 512;

/** A reproducible tar archive (ustar) of text files, without times and owners. */
export function tarOf(files, prefix) {
  const parts = [];
  for (const [path, text] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const content = Buffer.from(text);
    parts.push(headerOf(`${prefix}${path}`, content.length), content);
    parts.push(Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK));
  }
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function headerOf(name, size) {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for a path in the archive`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value, length) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  header.write(name, 0);
  header.write(octal(0o644, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  // npm’s own packages use this time too, because some tools fail on the year 1970.
  header.write(octal(499_162_500, 12), 136);
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\0', 257);
  header.write('00', 263);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}
