/**
 * Goes on with a value: at once if it is there, later if it is a promise. Most requests wait for nothing but the store,
 * and an `await` would make each of them wait for a turn of the event loop anyway.
 */
export function whenKnown<T, R>(value: T | Promise<T>, use: (value: T) => R): R | Promise<Awaited<R>> {
  return value instanceof Promise ? (value.then(use) as Promise<Awaited<R>>) : use(value);
}
