/** Text that JSON does not need to escape: ASCII without quotes, backslashes and control characters. */
const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * A string as JSON. Nearly all strings of a request are plain, and quoting those costs a fraction of `JSON.stringify`.
 */
export function jsonString(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

export function jsonStrings(texts: readonly string[]): string {
  return texts.length === 0 ? '[]' : `[${texts.map(jsonString).join(',')}]`;
}

/** Any JSON value as text. */
export function jsonValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return jsonString(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      return Number.isFinite(value) ? `${value}` : 'null';
    default:
      return JSON.stringify(value);
  }
}
