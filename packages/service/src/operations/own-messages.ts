import { CHECK_NAMES, LANGUAGE_TAGS } from '@postern/contract';
import type { MessagesField, ProjectMessages } from '@postern/contract/project-fields';
import { InvalidInput, oneOf, readLine, refuseUnlessObject } from './administration.ts';

/** Some sites write a message into their page as HTML. Direction overrides can make a text read differently. */
const REFUSED = /[<>\u202a-\u202e]/;

/**
 * The project’s own messages after a change. The change names languages and checks; a message that is `null` or empty
 * brings the usual one back.
 */
export function readOwnMessages(
  change: unknown,
  current: ProjectMessages,
  { label, maxLength }: MessagesField,
): ProjectMessages {
  refuseUnlessObject('messages', change);
  const messages: Record<string, Record<string, string>> = {};
  for (const [tag, texts] of Object.entries(current)) messages[tag] = { ...texts };
  for (const [tag, texts] of Object.entries(change)) {
    const language = oneOf('messages', 'Language', tag, LANGUAGE_TAGS);
    const changed = texts === null ? {} : { ...messages[language] };
    if (texts !== null) {
      refuseUnlessObject('messages', texts);
      for (const [name, text] of Object.entries(texts)) {
        const check = oneOf('messages', 'Check', name, CHECK_NAMES);
        if (text === null || text === '') delete changed[check];
        else changed[check] = readMessage(text, `${label}: ${language}.${check}`, maxLength);
      }
    }
    if (Object.keys(changed).length > 0) messages[language] = changed;
    else delete messages[language];
  }
  return messages;
}

export function readMessage(text: unknown, name: string, maxLength: number, field = 'messages'): string {
  const line = readLine(text, maxLength);
  if (line === undefined || REFUSED.test(line)) {
    throw new InvalidInput(
      field,
      `${name} must be plain text on one line, with 1 to ${maxLength} characters and without < and >.`,
    );
  }
  return line;
}
