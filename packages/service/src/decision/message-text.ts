import { type CheckName, LANGUAGES, type LanguageTag, NEUTRAL_MESSAGE } from '@postern/contract';
import type { ProjectPolicy } from '../model/project.ts';

export type MessagePolicy = Pick<ProjectPolicy, 'messageTone' | 'messageLanguage' | 'messages'>;

/** The language to answer in. A project with a form in one language can fix it. */
export function messageLanguage({ messageLanguage: fixed }: MessagePolicy, asked: LanguageTag): LanguageTag {
  return fixed === 'request' ? asked : fixed;
}

/** The project’s own text, or the built-in one. */
export function messageText(policy: MessagePolicy, language: LanguageTag, check: CheckName): string {
  return policy.messages[language]?.[check] ?? LANGUAGES[language].messages[policy.messageTone][check];
}

/** The message that gives no reason, always the built-in one: a project’s own text for a check names that check. */
export function neutralText({ messageTone }: MessagePolicy, language: LanguageTag): string {
  return LANGUAGES[language].messages[messageTone][NEUTRAL_MESSAGE];
}
