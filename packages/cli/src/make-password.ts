import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { CommandContext } from './command-context.ts';

const PASSWORD_LENGTH = 20;
const PASSWORD_ALPHABET = 'abcdefghjkmnpqrstuvwxyz023456789';

/** 100 random bits, in letters that are not easily confused. */
export function makePassword(randomBytes: CommandContext['randomBytes']): string {
  return Array.from(randomBytes(PASSWORD_LENGTH), (byte) => PASSWORD_ALPHABET.charAt(byte % 32)).join('');
}

/** The piped input, without the line ending. */
export async function readPasswordFromInput(input: CommandContext['input']): Promise<string> {
  return (await text(Readable.from(input))).replace(/\r?\n$/, '');
}
