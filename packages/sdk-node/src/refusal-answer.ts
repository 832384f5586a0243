import { LANGUAGES, type LanguageTag } from '@postern/contract';
import type { RefusedSignUp } from './sign-up-result.ts';

export interface RefusalAnswer {
  readonly status: 422 | 503;
  readonly contentType: string;
  readonly body: string;
}

/**
 * JSON for scripts. A small page for a form that the browser itself posted, because it would show JSON to the person.
 */
export function refusalAnswer(
  { status, message, language, suggestion }: RefusedSignUp,
  accept: string | null,
): RefusalAnswer {
  const wantsPage = /\btext\/html\b/i.test(accept ?? '') && !/^application\/json/i.test(accept ?? '');
  const [contentType, body] = wantsPage
    ? ['text/html; charset=utf-8', page(message, language, suggestion)]
    : ['application/json; charset=utf-8', json(message, suggestion)];
  return { status, contentType, body };
}

export function asResponse({ status, contentType, body }: RefusalAnswer): Response {
  return new Response(body, { status, headers: { 'Content-Type': contentType } });
}

function json(error: string, suggestion: string | null): string {
  return JSON.stringify(suggestion === null ? { error } : { error, suggestion });
}

/** Without scripts and styles, so that it works under any content security policy. */
function page(message: string, language: LanguageTag, suggestion: string | null): string {
  const text = escapeHtml(message);
  const { goBack, form } = LANGUAGES[language];
  const offer =
    suggestion === null ? '' : `<p>${escapeHtml(form.suggestion.replace('{address}', () => suggestion))}</p>`;
  return `<!doctype html><html lang="${language}" dir="auto"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${text}</title></head><body><main><p>${text}</p>${offer}<p>${goBack}</p></main></body></html>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
