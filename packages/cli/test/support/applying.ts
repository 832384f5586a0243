import { posternOn, type Run } from './postern.ts';

/** `postern apply` with the text of a file. */
export const applying = (
  settings: Record<string, string>,
  text: string,
  ...options: string[]
): Promise<Run> => posternOn(settings, { input: text })('apply', ...options);
