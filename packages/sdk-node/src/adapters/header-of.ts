import type { RequestLike } from '../caller.ts';

export function headerOf({ headers }: RequestLike, name: string): string | null {
  if (typeof headers.get === 'function') return headers.get(name);
  const value = (headers as Record<string, string | string[] | undefined>)[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}
