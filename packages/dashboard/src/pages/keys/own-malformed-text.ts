import type { ProjectView } from '@postern/contract/dashboard';

/**
 * The project’s own message for the syntax check, in the language that its answers have; if requests choose the
 * language, English or the only language that has one.
 */
export function ownMalformedText({
  messages,
  messageLanguage,
}: Pick<ProjectView['policy'], 'messages' | 'messageLanguage'>): string | undefined {
  const own = new Map(
    Object.entries(messages).flatMap(([language, texts]) =>
      texts?.syntax === undefined ? [] : [[language, texts.syntax] as const],
    ),
  );
  if (messageLanguage !== 'request') return own.get(messageLanguage);
  return own.get('en') ?? (own.size === 1 ? [...own.values()][0] : undefined);
}
