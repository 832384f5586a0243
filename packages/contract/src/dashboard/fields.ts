/**
 * Fields that several bodies have. Faults begin with the field’s `title` if it has one, else with its name. `expected`
 * completes the sentence “… must be …” where the schema alone cannot, and `sentence` replaces it. `refused` follows the
 * value itself, and `most` says how many a list can have. `each` is what an item of the list or record is called.
 * `form` names what only the service knows of a value that the schema accepts, such as the language of rules.
 */
import * as z from 'zod';
import { MAX_LIFETIME_DAYS } from '../durations.ts';
import { PROJECT_ID } from '../project-fields.ts';
import { RULE_ID, RULE_LIMITS } from '../rules.ts';

/** A text on one line. Spaces around it do not count. PostgreSQL cannot store NUL, and a name has no control characters. */
export const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u)
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
    .regex(/^[^<>\u202a-\u202e\p{Cc}\p{Cs}]*$/u)
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

/** In milliseconds since 1970. Later ones are no dates. */
export const time = z
  .int()
  .min(-8.64e15)
  .max(8.64e15)
  .meta({ expected: 'a time in milliseconds since 1970' });

/** A value that the operation itself reads. */
export const readLater = <T>() => z.custom<T>((value) => value !== undefined);

/** Why something is changed, for the audit log and the history of the policy. */
export const reason = z
  .string()
  .trim()
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u)
  .nullish()
  .meta({ expected: 'one line with at most 200 characters' });

/** Any text that can be stored, such as an ID. */
export const text = (max: number) =>
  z
    .string()
    .regex(new RegExp(`^[^\\0\\p{Cs}]{0,${max}}$`, 'u'))
    .meta({ expected: `a text with at most ${max} characters` });

/** An address, a domain, a network and so on. */
export const listValue = z.string().meta({ form: 'listValue' });

/** An entry of a list. */
export const listEntry = z.strictObject({
  value: listValue,
  note: text(200).exactOptional(),
  /** In milliseconds since 1970. Forever without it. */
  expiresAt: time.exactOptional(),
  /** Who added it, as the service said. It says so itself again. */
  author: z.string().exactOptional(),
});
/** On the block list it can flag instead of block. */
export const blockEntry = listEntry.extend({ flag: z.literal(true).exactOptional() });

export const listName = z
  .string()
  .regex(/^(?!(allow|block|__proto__)$)[a-z0-9_]{1,40}$/)
  .meta({ refused: 'is not a list’s name. Use 1 to 40 of a-z, 0-9 and _, but not allow or block.' });

/** Lists that rules name. */
export const namedLists = <List extends z.ZodType>(list: List) =>
  z.record(listName, list).meta({ each: 'List', form: 'namedLists' });

/** All rules of a project, in the order in which they are tried. */
export const ruleList = <Item extends z.ZodType>(rule: Item) =>
  z
    .array(rule)
    .max(RULE_LIMITS.rules)
    .meta({ each: 'Rule', form: 'rules', most: `A project has at most ${RULE_LIMITS.rules} rules` });

export const projectId = z.string().regex(PROJECT_ID).meta({
  refused: 'is not a project ID. Use 1 to 64 letters, digits, - and _, with a letter or digit first.',
});
export const ruleId = z.string().regex(RULE_ID).meta({ expected: '1 to 40 of a-z, 0-9 and _' });
