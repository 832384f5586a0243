/** Whether the session has ended while the person works. The page stays, and a sign-in opens on top of it. */
let ended = false;
/** Whether a change was refused because of it. It is not sent again by itself. */
let changeLost = false;
const listeners = new Set<() => void>();

function set(value: boolean): void {
  if (ended === value) return;
  ended = value;
  for (const listener of listeners) listener();
}

export function reportSessionEnded(byChange: boolean): void {
  changeLost ||= byChange;
  set(true);
}

/** Returns whether a change was lost, so that the person can be told to send it again. */
export function reportSessionRenewed(): boolean {
  const lost = changeLost;
  changeLost = false;
  set(false);
  return lost;
}

export const isSessionEnded = () => ended;

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
