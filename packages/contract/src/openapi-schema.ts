import { HEADERS, type HeaderName } from './headers.ts';

export type Schema = Readonly<Record<string, unknown>>;
/** One schema for each field of T: a field added to the type and not described here does not compile. */
export type Fields<T> = Readonly<Record<keyof Required<T>, Schema>>;

export const text = (description: string): Schema => ({ type: 'string', description });
export const count = (description: string): Schema => ({ type: 'integer', minimum: 0, description });
export const ms = (description: string): Schema => ({ type: 'number', minimum: 0, description });
export const optional = (description: string, more: Schema = {}): Schema => ({
  type: ['string', 'null'],
  description,
  ...more,
});
/** Generators want the type beside the values. */
export const oneOf = (values: readonly string[], description?: string): Schema => ({
  type: 'string',
  enum: values,
  ...(description !== undefined && { description }),
});
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** A JSON body. */
export const json = (schema: Schema): Schema => ({ 'application/json': { schema } });
export const parameter = (
  name: string,
  place: 'path' | 'query',
  schema: Schema = { type: 'string' },
): Schema => ({
  ...{ name, in: place, required: true, schema },
});
/** An object that always has all of these. */
export const whole = (properties: Schema): Schema => ({
  ...{ type: 'object', required: Object.keys(properties), properties },
});

export const requestHeader = (name: HeaderName, required: boolean): Schema => ({
  name,
  in: 'header',
  required,
  description: HEADERS[name].meaning,
  schema: { type: 'string' },
});

export function object<T>(
  fields: Fields<T>,
  required: readonly (keyof T & string)[],
  description: string,
): Schema {
  return { type: 'object', description, required, properties: fields };
}
