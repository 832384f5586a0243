import { LANGUAGES, type LanguageTag } from '@postern/contract';
import type { RefusedSignUp } from './evaluate-sign-up.ts';

export interface RefusalAnswer {
  readonly status: 422 | 503;
  readonly isPage: boolean;
  readonly contentType: string;
  readonly body: string;
}

/**
 * JSON for scripts. A small page for a form that the browser itself posted, because it would show JSON to the person.
 */
export function refusalAnswer(
  { status, message, language }: RefusedSignUp,
  accept: string | null,
): RefusalAnswer {
  const wantsPage = /\btext\/html\b/i.test(accept ?? '') && !/^application\/json/i.test(accept ?? '');
  const [contentType, body] = wantsPage
    ? ['text/html; charset=utf-8', page(message, language)]
    : ['application/json; charset=utf-8', JSON.stringify({ error: message })];
  return { status, isPage: wantsPage, contentType, body };
}

/** Without scripts and styles, so that it works under any content security policy. */
function page(message: string, language: LanguageTag): string {
  const text = escapeHtml(message);
  return `<!doctype html><html lang="${language}" dir="auto"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${text}</title></head><body><main><p>${text}</p><p>${LANGUAGES[language].goBack}</p></main></body></html>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
