import { RULE_FACTS } from '@postern/contract/rules';
import { describe, expect, it } from 'vitest';
import { completionsAt } from './completions.ts';

/** `|` is the cursor. */
function complete(marked: string, asked = false) {
  const cursor = marked.indexOf('|');
  return completionsAt(marked.replace('|', ''), cursor, ['partners', 'offices'], asked);
}
const labels = (marked: string) => complete(marked)?.options.map(({ label }) => label);

/** The text after the first option is chosen. */
function chosen(marked: string): string {
  const found = complete(marked);
  const [option] = found?.options ?? [];
  if (found === undefined || option === undefined) return 'nothing';
  const text = marked.replace('|', '');
  const { insert, caret = insert.length } = option;
  const after = text.slice(0, found.from) + insert + text.slice(found.to);
  return `${after.slice(0, found.from + caret)}|${after.slice(found.from + caret)}`;
}

describe('completion', () => {
  it('offers facts by their beginning, then by what they contain', () => {
    expect(labels('ip.co|')).toEqual(['ip.country']);
    expect(labels('reused|')).toEqual(['device.reused', 'inbox.reused']);
    expect(labels('ip.known && mail.h|')).toEqual(['mail.host']);
  });

  it('offers every fact when asked, and nothing without letters', () => {
    expect(complete('|')).toBeUndefined();
    expect(complete('ip.known && |')).toBeUndefined();
    const all = complete('|', true)?.options ?? [];
    expect(all.length).toBeGreaterThan(10);
    expect(Object.keys(RULE_FACTS)).toContain(all[0]?.label);
  });

  it('offers nothing for what is written whole', () => {
    expect(complete('ip.country|')).toBeUndefined();
  });

  it('offers functions of the fact’s type', () => {
    expect(labels('email.domain.|')).toEqual([
      'startsWith',
      'endsWith',
      'contains',
      'lowerAscii',
      'upperAscii',
      'size',
    ]);
    expect(labels('signals.ex|')).toEqual(['exists', 'exists_one']);
    expect(labels('ip.asn.|')).toBeUndefined();
    expect(chosen('email.domain.en|')).toBe('email.domain.endsWith("|")');
    expect(chosen('inL|')).toBe('inList("|", )');
  });

  it('offers the values of facts that have only some, and signals and checks elsewhere', () => {
    expect(labels('ip.kind == "h|')).toEqual(['hosting']);
    expect(labels('email.class in ["free", "bu|')).toEqual(['business']);
    expect(chosen('ip.kind == "to|"')).toBe('ip.kind == "tor|"');
    expect(chosen('ip.known && "tor|')).toBe('ip.known && "tor_exit" in signals|');
    expect(chosen('"roleE|')).toBe('"roleEmail" in failed|');
    expect(chosen('["tor|')).toBe('["tor_exit"|');
  });

  it('offers the named lists, and nothing inside other texts', () => {
    expect(labels('inList("|')).toEqual(['partners', 'offices']);
    expect(complete('ip.country == "D|')).toBeUndefined();
    expect(complete('email.domain.endsWith("t|')).toBeUndefined();
  });

  it('replaces the whole word that the cursor is in', () => {
    expect(chosen('ip.cou|ntr == "DE"')).toBe('ip.country| == "DE"');
  });

  it('takes any text', () => {
    for (const text of ['"\\', '\\"', "'a\\'", '"""', '....', 'a.b.c.', '💥"', '((('])
      for (let cursor = 0; cursor <= text.length; cursor += 1) completionsAt(text, cursor, [], true);
  });
});
