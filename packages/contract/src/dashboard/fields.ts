/**
 * Fields that several bodies have. `expected` completes the sentence “… must be …” where the schema alone cannot, and
 * `sentence` replaces it. It begins with the field’s `title` if it has one, else with its name.
 */
import * as z from 'zod';
import { MAX_LIFETIME_DAYS } from '../durations.ts';

/** A text on one line. Spaces around it do not count. PostgreSQL cannot store NUL, and a name has no control characters. */
export const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^\P{Cc}*$/u)
    .meta({ expected: `one line with 1 to ${max} characters` });

/**
 * What people are told, or nothing, which brings the usual text back. Some sites write it into their page as HTML.
 * Direction overrides can make a text read differently.
 */
export const plainText = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^<>\u202a-\u202e\p{Cc}]*$/u)
    .or(z.literal(''))
    .meta({ expected: `plain text on one line, with 1 to ${max} characters and without < and >` });

/** An object whose names are known: `names` says what an unknown one should have been. */
export const named = (names: string, fields: z.core.$ZodLooseShape) => z.strictObject(fields).meta({ names });

/** How long a key or a token is valid. Without it, forever. */
export const lifetimeDays = z
  .number()
  .gt(0)
  .max(MAX_LIFETIME_DAYS)
  .nullish()
  .meta({ expected: `a number of days above 0 and at most ${MAX_LIFETIME_DAYS}` });

/** A value that the service reads with the table or the language that it belongs to: a policy, a rule, an entry of a list. */
export const readLater = <T>() => z.custom<T>((value) => value !== undefined);

/** Why something is changed, for the audit log and the history of the policy. */
export const reason = z
  .string()
  .trim()
  .max(200)
  .regex(/^\P{Cc}*$/u)
  .nullish()
  .meta({ expected: 'one line with at most 200 characters' });

/** Any text that can be stored, such as an ID. */
export const text = (max: number) =>
  z
    .string()
    .regex(new RegExp(`^[^\\0]{0,${max}}$`, 'u'))
    .meta({ expected: `a text with at most ${max} characters` });

/** An entry of a list. The service knows the forms of its value. */
export const listEntry = z.strictObject({
  value: z.string(),
  note: text(200).exactOptional(),
  /** On the block list: it flags and does not block. */
  flag: z.literal(true).exactOptional(),
  /** In milliseconds since 1970. Forever without it. */
  expiresAt: z.int().exactOptional(),
  /** Who added it, as the service said. It says so itself again. */
  author: z.string().exactOptional(),
});
