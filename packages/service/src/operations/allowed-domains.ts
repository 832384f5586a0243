import { type OriginPattern, parseOriginPattern } from '../model/origin-pattern.ts';
import { wildcardScope } from '../model/wildcard-scope.ts';
import { quoted } from './administration.ts';

/** Why a pattern cannot be one. */
export function refusedPattern(pattern: string): string | undefined {
  const parsed = parseOriginPattern(pattern);
  if (parsed === undefined)
    return (
      `${quoted(pattern)} is not an allowed-domain pattern. ` +
      'Use example.com, *.example.com, localhost:3000, localhost:*, app://com.example.app, ' +
      'or https://example.com to pin the scheme; no path.'
    );
  return wildcardScope(parsed) === 'anybody' ? tooWide(parsed) : undefined;
}

/** The patterns as they were written, without those that repeat the meaning of an earlier one. */
export function withoutRepeats(patterns: readonly string[]): string[] {
  const byMeaning = new Map<string, string>();
  for (const pattern of patterns) {
    const meaning = parseOriginPattern(pattern)?.text ?? pattern;
    if (!byMeaning.has(meaning)) byMeaning.set(meaning, pattern.trim());
  }
  return [...byMeaning.values()];
}

/** Why a wildcard directly under a public suffix is refused. */
export function tooWide({ text, host }: OriginPattern): string {
  return `${text} would let in anyone who registers a name under ${host}. Name your own domain: *.example.${host}.`;
}

/** A warning about a pattern that is still accepted. */
export function patternWarning(text: string): string | undefined {
  const pattern = parseOriginPattern(text);
  if (pattern === undefined || wildcardScope(pattern) !== 'customers') return undefined;
  return `${pattern.text} lets in the pages of anyone who has a name under ${pattern.host}. Name your own hosts if you can.`;
}
