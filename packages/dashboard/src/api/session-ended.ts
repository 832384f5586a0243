/** Whether the session has ended while the person works. The page stays, and a sign-in opens on top of it. */
let ended = false;
const listeners = new Set<() => void>();

function set(value: boolean): void {
  if (ended === value) return;
  ended = value;
  for (const listener of listeners) listener();
}

export const reportSessionEnded = () => set(true);
export const reportSessionRenewed = () => set(false);
export const isSessionEnded = () => ended;

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
