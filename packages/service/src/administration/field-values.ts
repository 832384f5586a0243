import { InvalidInput, quoted } from './administration.ts';

export function refuseUnlessObject(field: string, value: unknown): asserts value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidInput(field, `${field} must be an object.`);
}

export function oneOf<const T extends string>(
  field: string,
  label: string,
  value: unknown,
  allowed: readonly T[],
): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) {
    throw new InvalidInput(
      field,
      `${label} ${quoted(value)} is not known. Use one of: ${allowed.join(', ')}.`,
    );
  }
  return found;
}
