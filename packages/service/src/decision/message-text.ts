import {
  builtInMessage,
  type CheckName,
  type LanguageTag,
  type Message,
  type MessageName,
  NEUTRAL_MESSAGE,
} from '@postern/contract';
import type { ProjectPolicy } from '../model/project.ts';

export type MessagePolicy = Pick<ProjectPolicy, 'messageLanguage' | 'messages'>;

/** The language to answer in. A project with a form in one language can fix it. */
export function messageLanguage({ messageLanguage: fixed }: MessagePolicy, asked: LanguageTag): LanguageTag {
  return fixed === 'request' ? asked : fixed;
}

/** The project’s own text, else the built-in one. If neither exists in the language, the same in English. */
export function messageFor(
  policy: MessagePolicy,
  language: LanguageTag,
  check: CheckName,
  name: MessageName = check,
): Message {
  const own = policy.messages[language]?.[check];
  if (own !== undefined) return { text: own, language };
  const builtIn = builtInMessage(language, name);
  return builtIn.language === language ? builtIn : messageFor(policy, builtIn.language, check, name);
}

/** The message that gives no reason, always the built-in one: a project’s own text for a check names that check. */
export function neutralMessage(language: LanguageTag): Message {
  return builtInMessage(language, NEUTRAL_MESSAGE);
}
