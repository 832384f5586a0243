/** A field of a parsed body: an object, `FormData`, `URLSearchParams` or a `Map`. Dots separate nested fields. */
export function readField(body: unknown, path: string): unknown {
  if (typeof body !== 'object' || body === null) return undefined;
  if (hasGet(body)) return body.get(path) ?? undefined;
  if (Object.hasOwn(body, path)) return (body as Record<string, unknown>)[path];
  const dot = path.indexOf('.');
  if (dot === -1 || !Object.hasOwn(body, path.slice(0, dot))) return undefined;
  return readField((body as Record<string, unknown>)[path.slice(0, dot)], path.slice(dot + 1));
}

function hasGet(body: object): body is { get(name: string): unknown } {
  return 'get' in body && typeof body.get === 'function';
}
