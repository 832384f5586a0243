/** Whether the service answered the last request. Everything on the page stays while it does not. */
let answers = true;
const listeners = new Set<() => void>();

export function reportService(answered: boolean): void {
  if (answers === answered) return;
  answers = answered;
  for (const listener of listeners) listener();
}

export const serviceAnswers = () => answers;

export function onServiceChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
