const given = new Set<string>();

/**
 * A body without the email field is answered like a form without an address. During development the cause is nearly
 * always a missing body parser or another field name, so each is logged once to the console.
 */
export function hintAboutBody(body: unknown, emailField: string, contentType: string | null): void {
  const hint = hintFor(body, emailField, contentType ?? '');
  if (hint === null || given.has(hint) || isProduction()) return;
  given.add(hint);
  console.warn(`Postern’s guard: ${hint}`);
}

function hintFor(body: unknown, emailField: string, contentType: string): string | null {
  const isEmpty =
    typeof body !== 'object' ||
    body === null ||
    (!(body instanceof FormData) && Object.keys(body).length === 0);
  if (/^multipart\//i.test(contentType) && isEmpty) {
    return 'the form is multipart and was not parsed. Put a parser such as multer().none() or @fastify/multipart before the guard.';
  }
  if (body === undefined || body === null || typeof body === 'string') {
    return 'the request has no parsed body. Put the body parser before the guard, for example express.json() and express.urlencoded().';
  }
  const nested = findNested(body, 0);
  if (nested !== null)
    return `there is no field “${emailField}”, but “${nested}”. Set emailField: '${nested}'.`;
  return isEmpty ? null : `there is no field “${emailField}”. Set emailField to your form’s name for it.`;
}

/** The path of a field called email inside the body. */
function findNested(body: unknown, depth: number): string | null {
  if (typeof body !== 'object' || body === null || depth > 3) return null;
  for (const [name, value] of Object.entries(body).slice(0, 50)) {
    if (depth > 0 && /^e-?mail$/i.test(name)) return name;
    const inside = findNested(value, depth + 1);
    if (inside !== null) return `${name}.${inside}`;
  }
  return null;
}

function isProduction(): boolean {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.NODE_ENV === 'production';
}
