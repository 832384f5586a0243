/** Requests get their answer within two seconds, a refusal if need be; the rest is for the way there and back. */
const PATIENCE_MS = 1_600;
const LOOK_EVERY_MS = 100;

/** Watches a call; answers the function that ends the watch. */
export type Patience = (giveUp: () => void) => () => void;

/** One timer for all calls: a timer each would cost more than it tells. */
export function patience(): Patience {
  const watched = new Map<object, { readonly since: number; readonly giveUp: () => void }>();
  let timer: NodeJS.Timeout | undefined;

  const look = () => {
    const late = performance.now() - PATIENCE_MS;
    for (const [watch, { since, giveUp }] of watched) {
      // They are in the order of their coming.
      if (since > late) return;
      watched.delete(watch);
      giveUp();
    }
  };

  return (giveUp) => {
    const watch = {};
    watched.set(watch, { since: performance.now(), giveUp });
    timer ??= setInterval(look, LOOK_EVERY_MS).unref();
    return () => {
      watched.delete(watch);
      if (watched.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  };
}
