import { DASHBOARD_ROUTES } from '@postern/contract/dashboard-routes';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { InvalidInput } from './administration.ts';
import { readBody } from './read-body.ts';

const NewKey = DASHBOARD_ROUTES['POST /projects/:id/keys'].body as z.ZodType;

function faultOf(schema: z.ZodType, sent: unknown): { field: string; message: string } {
  try {
    readBody(schema, sent);
  } catch (error) {
    if (error instanceof InvalidInput) return { field: error.field, message: error.message };
    throw error;
  }
  throw new Error('It was accepted');
}

const Order = z.strictObject({
  size: z.int().min(1).max(9),
  note: z.string().max(3).nullish(),
  kinds: z.array(z.enum(['a', 'b'])).min(1),
  rush: z.boolean().optional(),
  place: z.strictObject({ street: z.string().min(1) }).optional(),
  named: z.record(z.string(), z.int()).optional(),
  times: z
    .literal('*')
    .or(z.array(z.enum(['am', 'pm'])))
    .optional(),
});
const right = { size: 1, kinds: ['a'] };

it('reads what the schema describes', () => {
  expect(readBody(Order, { ...right, note: null })).toEqual({ ...right, note: null });
  expect(readBody(z.strictObject({}), undefined)).toEqual({});
});

it.each([
  [{ size: 10 }, 'size', 'size must be a whole number from 1 to 9.'],
  [{ size: undefined }, 'size', 'size must be a whole number from 1 to 9.'],
  [{ note: 'long' }, 'note', 'note must be a text with at most 3 characters.'],
  [{ rush: 'yes' }, 'rush', 'rush must be true or false.'],
  [{ kinds: [] }, 'kinds', 'kinds must be a list with at least 1 entries.'],
  [{ kinds: ['c'] }, 'kinds', "kinds.0 'c' is not known. Use one of: a, b."],
  [{ kinds: [undefined] }, 'kinds', 'kinds.0 must be one of a, b.'],
  [{ place: { street: '' } }, 'place', 'place.street must be a text with at least 1 characters.'],
  [
    { place: { strasse: 'x', street: 'y' } },
    'place',
    "Unknown field in place: 'strasse'. Known fields: street.",
  ],
  [{ place: [] }, 'place', 'place must be an object.'],
  [{ named: { x: 0.5 } }, 'named', 'named.x must be a whole number.'],
  [{ times: 'x' }, 'times', "times must be '*', or a list."],
  [{ times: ['x'] }, 'times', "times.0 'x' is not known. Use one of: am, pm."],
  [
    { colour: 1 },
    'colour',
    "Unknown field: 'colour'. Known fields: size, note, kinds, rush, place, named, times.",
  ],
  [
    JSON.parse('{"__proto__": 1, "constructor": 2}'),
    '__proto__',
    "Unknown field: '__proto__', 'constructor'. Known fields: size, note, kinds, rush, place, named, times.",
  ],
])('says of %j what was expected', (change, field, message) => {
  const sent = Object.defineProperties({ ...right }, Object.getOwnPropertyDescriptors(change));
  expect(faultOf(Order, sent)).toEqual({ field, message });
});

it('says all faults at once', () => {
  expect(faultOf(Order, { size: 'x', rush: 1 }).message).toBe(
    'size must be a whole number from 1 to 9. kinds must be a list with at least 1 entries. rush must be true or false.',
  );
});

it('says that a value is missing which is read later', () => {
  const Later = z.strictObject({ when: z.custom<string>((value) => value !== undefined) });
  expect(faultOf(Later, {})).toEqual({ field: 'when', message: 'when is missing.' });
});

it('uses the words of the contract', () => {
  expect(faultOf(NewKey, { type: 'client', name: ' ' }).message).toBe(
    'name must be one line with 1 to 100 characters.',
  );
  expect(faultOf(NewKey, { type: 'client', expiresInDays: 0 }).message).toMatch(/above 0 and at most 3650/);
  for (const body of [null, [], 'x', 1])
    expect(faultOf(NewKey, body)).toEqual({ field: 'body', message: 'The body must be a JSON object.' });
});
