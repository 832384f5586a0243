const FORMAT = /^pst_server_(?:live|test)_[0-9A-Za-z]{36}$/;
const CHECKSUM_LENGTH = 6;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Throws for a server key that was mistyped or cut off when it was copied. The service would refuse it with a 401, and
 * until somebody reads the log every sign-up would pass. Keys without the prefix are left to the service.
 */
export function checkServerKey(apiKey: string): void {
  const key = apiKey.trim();
  if (!key.startsWith('pst_server_')) return;
  if (FORMAT.test(key) && key.endsWith(checksum(key.slice(0, -CHECKSUM_LENGTH)))) return;
  throw new TypeError(
    'Postern’s apiKey is not a whole server key: a character is wrong or missing. Copy it again, or make a new one.',
  );
}

/** The last characters of a key: the CRC-32 of the others in base 62. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Written out, because edge runtimes do not have Node’s zlib. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index += 1) {
    crc ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
