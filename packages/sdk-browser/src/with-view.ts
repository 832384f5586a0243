/** `target` with a getter for each property of the view, so that a framework notices who reads it. For framework bindings. */
export function withView<V extends object, T extends object>(getView: () => V, target: T): V & T {
  for (const key of Object.keys(getView()) as (keyof V)[]) {
    Object.defineProperty(target, key, { get: () => getView()[key], enumerable: true });
  }
  return target as V & T;
}
