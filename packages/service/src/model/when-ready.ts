/**
 * Continues with a value: synchronously if it is there already, later if it is a promise. Most requests only wait for the
 * store, and an `await` would cost each of them an extra round of the event loop.
 */
export function whenReady<T, R>(value: T | Promise<T>, use: (value: T) => R): R | Promise<Awaited<R>> {
  return value instanceof Promise ? (value.then(use) as Promise<Awaited<R>>) : use(value);
}
