import { type CheckName, LANGUAGES, type LanguageTag } from '@postern/contract';
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
