/** Puts the cookies of `Set-Cookie` lines into a jar as a browser does, and removes those that have ended. */
export function keepCookies(jar: Map<string, string>, lines: readonly string[]): void {
  for (const line of lines) {
    // Only the attributes may end a cookie. A random value can contain any digits.
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const equals = pair.indexOf('=');
    if (equals === -1) continue;
    const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
    if (value === '' || attributes.some(isEnd)) jar.delete(name);
    else jar.set(name, value);
  }
}

function isEnd(attribute: string): boolean {
  const [, name = '', value = ''] = /^(max-age|expires)=(.*)$/i.exec(attribute) ?? [];
  if (name === '') return false;
  return name.toLowerCase() === 'max-age' ? Number(value) <= 0 : Date.parse(value) <= Date.now();
}
