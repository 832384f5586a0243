/** Text that stands in JSON as it is: no quote, no backslash, no control character, nothing beyond ASCII. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** A string as JSON. Nearly all of a request’s are plain, and quoting those costs a fraction of `JSON.stringify`. */
export function jsonString(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

export function jsonStrings(texts: readonly string[]): string {
  return texts.length === 0 ? '[]' : `[${texts.map(jsonString).join(',')}]`;
}

/** Any value that JSON can hold. */
export function jsonValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return jsonString(value);
    case 'boolean':
      return value ? 'true' : 'false';
    default:
      return JSON.stringify(value);
  }
}
