/** What the system answers when this process or the whole machine has no descriptors, buffers or memory left. */
const SHORTAGES: readonly unknown[] = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'];

/** The code of an error that says that our own machine lacks something. `undefined` for every other error. */
export function shortageCode(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return SHORTAGES.includes(code) ? String(code) : undefined;
}
